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

/** A page ends with the event that exceeds so many bytes, as they are stored. */
const pageBytes = 128 * 1024

interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Whether there may be more. */
  readonly hasMore: boolean
}

/** The events after a number, oldest first: not more than `limit`, and fewer where they are large. */
export async function readEvents(db: CompanyStore, after: number, limit: number): Promise<EventPage> {
  const rows = await db.read(fill(pageOf(db.dialect)(String(limit)), [db.companyId, String(after)]))
  const found = Number(rows[0]?.at(-1) ?? 0)
  return { events: rows.map(eventOf), hasMore: found === limit || found > rows.length }
}

/** Compiled once for each limit: streams and webhooks read very often. */
const pageOf = memoize((dialect: Dialect) =>
  memoizeText((limit) => {
    const names = join(
      columnsOf(event).map(({ name }) => identifier('e', name)),
      ', ',
    )
    const bytes = sql`${dialect.storedBytes(identifier('e', 'row'))} + coalesce(${dialect.storedBytes(identifier('e', 'previous'))}, 0)`
    const after = dialect.valueOf(event.primaryKey, sql`${parameter(1)}`)
    // The limit comes first: otherwise all events behind would be counted.
    const page = sql`select ${names}, ${bytes} as bytes
      from ${companyRows('event', ofRequest, 'e')} and e.sequence > ${after} order by e.sequence limit ${integer(Number(limit))}`
    const summed = sql`select ${names}, sum(bytes) over (order by e.sequence) - bytes as bytes_before, count(*) over () as found from (${page}) as e`
    return prepare(
      sql`select ${textsIn(dialect)}, found from (${summed}) as e where bytes_before < ${integer(pageBytes)} order by e.sequence`,
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
