import { memoize, memoizeText } from '../../caches/memoize.ts'
import { columnsOf } from '../../resources/define.ts'
import { event } from '../../resources/index.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { companyRows, ofRequest } from '../compile/company-rows.ts'
import type { CompanyStore, Question, Row } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { fill, identifier, integer, join, parameter, prepare, type Sql, sql } from '../sql.ts'

/** The number of the last event of each of some companies: `company_id, last_sequence`. */
export const lastSequences =
  (dialect: Dialect): Question =>
  (table, companyIds) => {
    const column = { name: 'company_id', type: 'uuid', description: '' } as const
    const among = dialect.compare({
      ...{ column, value: identifier('company_id'), operator: 'in', quantifier: null, language: 'simple' },
      operand: { param: 0, count: 0 },
    })
    return fill(sql`select company_id, last_sequence from ${table('event_counter')} where ${among}`, [companyIds])
  }

/** Companies with events that have no number yet, and are older than that: `company_id`. */
export const unnumberedCompanies =
  (before: Date): Question =>
  (table) =>
    sql`select distinct company_id from ${table('event_inbox')} where created_at < ${timestampText(before)}`

/** The number of the company's last event; 0 before the first one. */
export async function lastSequence(db: CompanyStore): Promise<number> {
  const [[last] = []] = await db.read(sql`select last_sequence from ${companyRows('event_counter', db)}`)
  return Number(last ?? 0)
}

/** The number of the oldest event that is still there; null if there is none. */
export async function firstSequence(db: CompanyStore): Promise<number | null> {
  const [[first] = []] = await db.read(sql`select sequence from ${companyRows('event', db)} order by sequence limit 1`)
  return first === undefined ? null : Number(first)
}

/** An event as it is stored. */
export interface StoredEvent {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly rowId: string
  /** JSON, as the following ones. */
  readonly row: string
  readonly changed: string
  readonly previous: string | null
  readonly createdAt: string
  readonly actorKind: string
  readonly actorId: string | null
}

/** What is read by one statement ends with the event that exceeds so many bytes, as they are stored. */
const partBytes = 128 * 1024
/** More are read only behind small ones: SQLite reads the whole of each event that it passes, even if only its size is asked for. */
const firstMax = 20

interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Whether there may be more. */
  readonly hasMore: boolean
}

/** The events after a number, oldest first: not more than `limit`, and fewer where they are large. */
export async function readEvents(db: CompanyStore, after: number, limit: number): Promise<EventPage> {
  const { events, hasMore, isLarge } = await readPart(db, after, Math.min(limit, firstMax))
  const last = events.at(-1)
  if (!last || !hasMore || isLarge || limit <= firstMax) return { events, hasMore }
  const rest = await readPart(db, last.sequence, limit - firstMax)
  return { events: [...events, ...rest.events], hasMore: rest.hasMore }
}

interface EventPart extends EventPage {
  /** Whether it ends because of its bytes. */
  readonly isLarge: boolean
}

async function readPart(db: CompanyStore, after: number, limit: number): Promise<EventPart> {
  const rows = await db.read(fill(partOf(db.dialect)(String(limit)), [db.companyId, String(after)]))
  const isLarge = rows.reduce((bytes, row) => bytes + Number(row.at(-1)), 0) >= partBytes
  return { events: rows.map(eventOf), hasMore: rows.length === limit || isLarge, isLarge }
}

/** Compiled once for each limit: streams and webhooks read very often. */
const partOf = memoize((dialect: Dialect) =>
  memoizeText((limit) => {
    const bytesOf = (alias: string) =>
      sql`${dialect.storedBytes(identifier(alias, 'row'))} + coalesce(${dialect.storedBytes(identifier(alias, 'previous'))}, 0)`
    const after = dialect.valueOf(event.primaryKey, sql`${parameter(1)}`)
    // Where it ends is found by sizes alone: what is not sent is not read. The limit comes first, because
    // otherwise all events behind would be counted.
    const sizes = sql`select s.sequence, ${bytesOf('s')} as bytes
      from ${companyRows('event', ofRequest, 's')} and s.sequence > ${after} order by s.sequence limit ${integer(Number(limit))}`
    const summed = sql`select sequence, sum(bytes) over (order by sequence) - bytes as bytes_before from (${sizes}) as sizes`
    const last = sql`select max(sequence) from (${summed}) as summed where bytes_before < ${integer(partBytes)}`
    return prepare(
      sql`select ${textsIn(dialect)}, ${bytesOf('e')} from ${companyRows('event', ofRequest, 'e')}
        and e.sequence > ${after} and e.sequence <= (${last}) order by e.sequence`,
      dialect.placeholder,
    )
  }),
)

/** Those of the numbers that are still kept. */
export async function readEventsOf(db: CompanyStore, sequences: readonly number[]): Promise<readonly StoredEvent[]> {
  if (sequences.length === 0) return []
  const numbers = join(sequences.map(integer), ', ')
  const rows = await db.read(
    sql`select ${textsIn(db.dialect)} from ${companyRows('event', db, 'e')} and e.sequence in (${numbers})`,
  )
  return rows.map(eventOf)
}

/** Each column as its canonical text. */
const textsIn = memoize((dialect: Dialect): Sql => {
  const texts = columnsOf(event).map((column) => dialect.textOf(column, identifier('e', column.name)))
  return fill(join(texts, ', '), [])
})

function eventOf([
  sequence,
  id,
  type,
  resource,
  rowId,
  row,
  changed,
  previous,
  createdAt,
  actorKind,
  actorId,
]: Row): StoredEvent {
  const known = { sequence: Number(sequence), id, type, resource, rowId, row, changed, previous }
  // The columns of the schema.
  return { ...known, createdAt, actorKind, actorId } as StoredEvent
}
