import { memoize } from '../caches/memoize.ts'
import { event } from '../resources/index.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { CompanyStore, Dialect, Row } from '../store/database.ts'
import { fill, identifier, integer, join, type Sql, sql } from '../store/sql.ts'

/** A change of a row, as it is stored. `row`, `changed` and `previous` are JSON. */
export interface Event {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly rowId: string
  readonly row: string
  readonly changed: string
  readonly previous: string | null
  readonly createdAt: string
  readonly actorKind: string
  readonly actorId: string | null
}

/** The events after a number, oldest first. */
export const readEvents = (own: CompanyStore, after: number, most: number): Promise<Event[]> =>
  select(own, sql`e.sequence > ${after} order by e.sequence limit ${integer(most)}`)

/** Those of the numbers that are still kept. */
export const readEventsOf = async (own: CompanyStore, sequences: readonly number[]): Promise<Event[]> =>
  sequences.length === 0
    ? []
    : select(
        own,
        sql`e.sequence in (${join(
          sequences.map((sequence) => sql`${sequence}`),
          ', ',
        )})`,
      )

async function select(own: CompanyStore, condition: Sql): Promise<Event[]> {
  const rows = await own.read(
    sql`select ${columnsIn(own.dialect)} from ${companyRows('event', own, 'e')} and ${condition}`,
  )
  return rows.map(eventOf)
}

/** Each column as its canonical text. */
const columnsIn = memoize((dialect: Dialect): Sql => {
  const texts = [...event.columns.values()].map((column) => dialect.textOf(column, identifier('e', column.name)))
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
]: Row): Event {
  const known = { sequence: Number(sequence), id, type, resource, rowId, row, changed, previous }
  // The columns of the schema.
  return { ...known, createdAt, actorKind, actorId } as Event
}

/** What is sent: the event as `GET /rest/v1/event` shows it, in the envelope of Standard Webhooks. */
export function bodyOf({
  id,
  sequence,
  type,
  resource,
  rowId,
  row,
  changed,
  previous,
  createdAt,
  ...by
}: Event): string {
  // Texts that are JSON already stay as they are, so that no digit of a number is lost.
  const data = [
    ...[
      `"sequence":${sequence}`,
      `"id":"${id}"`,
      `"type":"${type}"`,
      `"resource":"${resource}"`,
      `"row_id":"${rowId}"`,
    ],
    ...[`"row":${row}`, `"changed":${changed}`, `"previous":${previous ?? 'null'}`, `"created_at":"${createdAt}"`],
    ...[`"actor_kind":${JSON.stringify(by.actorKind)}`, `"actor_id":${JSON.stringify(by.actorId)}`],
  ]
  return `{"type":"${type}","timestamp":"${createdAt}","data":{${data.join(',')}}}`
}
