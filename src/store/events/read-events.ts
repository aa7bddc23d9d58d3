import { event } from '../../resources/index.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { companyRows, tableOfAllCompanies } from '../compile/company-rows.ts'
import type { CompanyStore, Database } from '../database.ts'
import { fill, identifier, integer, join, sql } from '../sql.ts'
import { columnsOf } from './change.ts'

/** The number of the last event of each of some companies, all in one statement. */
export async function lastSequences(
  db: Pick<Database, 'read' | 'dialect'>,
  companyIds: readonly string[],
): Promise<readonly (readonly [companyId: string, last: number])[]> {
  if (companyIds.length === 0) return []
  const column = { name: 'company_id', type: 'uuid', description: '' } as const
  const among = db.dialect.compare({
    ...{ column, value: identifier('company_id'), operator: 'in', quantifier: null, language: 'simple' },
    operand: { param: 0, count: 0 },
  })
  const rows = await db.read(
    fill(sql`select company_id, last_sequence from ${tableOfAllCompanies('event_counter')} where ${among}`, [
      companyIds,
    ]),
  )
  return rows.map(([companyId, last]) => [String(companyId), Number(last)])
}

/** Companies with events that have no number yet, and are older than that. */
export async function unnumberedCompanies(db: Pick<Database, 'read'>, before: Date): Promise<readonly string[]> {
  const rows = await db.read(
    sql`select distinct company_id from ${tableOfAllCompanies('event_inbox')} where created_at < ${timestampText(before)}`,
  )
  return rows.map(([companyId]) => String(companyId))
}

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
}

/** The events after a number, oldest first. */
export async function readEvents(db: CompanyStore, after: number, limit: number): Promise<readonly StoredEvent[]> {
  const texts = columnsOf(event).map((column) => db.dialect.textOf(column, identifier('e', column.name)))
  const rows = await db.read(
    fill(
      sql`select ${join(texts, ', ')} from ${companyRows('event', db, 'e')} and e.sequence > ${integer(after)}
          order by e.sequence limit ${integer(limit)}`,
      [],
    ),
  )
  return rows.map(([sequence, id, type, resource, rowId, row, changed, previous, createdAt]) => ({
    sequence: Number(sequence),
    id: String(id),
    type: String(type),
    resource: String(resource),
    rowId: String(rowId),
    row: String(row),
    changed: String(changed),
    previous: previous === null || previous === undefined ? null : String(previous),
    createdAt: String(createdAt),
  }))
}
