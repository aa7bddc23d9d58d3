import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { requireNone } from '../proof.ts'
import { withDatabase } from '../stage.ts'
import type { Change } from './changes.ts'

export interface StoredEvent {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly rowId: string
  readonly name: string
}

/** All events of the only company that changes projects, past the service. */
export const readStoredEvents = (url: string): Promise<readonly StoredEvent[]> =>
  withDatabase(url, async (db) => {
    const rows = await db.read(
      sql`select sequence, id, type, row_id, row from ${tableOfAllCompanies('event')} where resource = 'project' order by sequence`,
    )
    return rows.map(([sequence, id, type, rowId, row]) => ({
      ...{ sequence: Number(sequence), id: String(id), type: String(type), rowId: String(rowId) },
      name: nameIn(row),
    }))
  })

/** The driver parses JSON of PostgreSQL itself. */
const nameIn = (row: unknown): string =>
  (typeof row === 'string' ? JSON.parse(row) : (row as { project_name: string })).project_name

/** How many events have no number yet. */
export const countUnnumbered = (url: string): Promise<number> =>
  withDatabase(url, async (db) => {
    const [[count] = []] = await db.read(sql`select count(*) from ${tableOfAllCompanies('event_inbox')}`)
    return Number(count)
  })

/** Compares the events with what was acknowledged, and with the rows as they are. */
export async function auditEvents(
  url: string,
  events: readonly StoredEvent[],
  acknowledged: readonly Change[],
): Promise<void> {
  const counts = new Map<string, number>()
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1)
  requireNone(
    'changes with two events',
    [...counts].filter(([, count]) => count > 1),
  )
  requireNone(
    'acknowledged changes without an event',
    acknowledged.filter(({ type, id, name }) => !counts.has(keyOf({ type, rowId: id, name }))),
  )
  const state = new Map<string, string>()
  for (const { type, rowId, name } of events)
    if (type === 'project.deleted') state.delete(rowId)
    else state.set(rowId, name)
  const stored = await readRows(url)
  requireNone(
    'changes without an event',
    [...stored].filter(([id, name]) => state.get(id) !== name),
  )
  requireNone(
    'events without a change',
    [...state].filter(([id, name]) => stored.get(id) !== name),
  )
}

const keyOf = ({ type, rowId, name }: Pick<StoredEvent, 'type' | 'rowId' | 'name'>): string =>
  `${type} ${rowId} ${name}`

const readRows = (url: string): Promise<ReadonlyMap<string, string>> =>
  withDatabase(url, async (db) => {
    const rows = await db.read(sql`select id, project_name from ${tableOfAllCompanies('project')}`)
    return new Map(rows.map(([id, name]) => [String(id), String(name)]))
  })
