import { Database as File } from 'bun:sqlite'
import { engineOf } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { Broken, requireNone } from '../proof.ts'
import { type Caller, withDatabase } from '../stage.ts'

/** A row as its writer knows it. Names are never used twice, so that a row that was made twice shows. */
export interface Written {
  readonly name: string
  readonly bid: string
}

/** What was sent in one request: all of it is stored, or nothing. */
export interface Sent {
  readonly resource: 'bid' | 'project'
  readonly rows: readonly Written[]
  /** The ids that the answer gave; null as long as there is none, which may be for ever. */
  acknowledged: readonly string[] | null
}

interface Stored extends Written {
  readonly resource: string
  readonly id: string
}

/** Compares all that was sent with all that is stored, to the row. */
export async function audit(url: string, requests: Iterable<Sent>, ...callers: readonly Caller[]): Promise<void> {
  const sent = [...requests]
  const stored = await readAll(url)
  const byName = new Map(stored.map((row) => [row.name, row]))
  const names = new Set(sent.flatMap(({ rows }) => rows.map(({ name }) => name)))
  requireNone(
    'rows doubled',
    stored.filter((row) => byName.get(row.name) !== row),
  )
  requireNone(
    'acknowledged rows lost',
    sent.flatMap((one) => lostOf(one, byName)),
  )
  requireNone(
    'requests half done',
    sent.filter((one) => isHalf(one, byName)),
  )
  requireNone(
    'rows that nobody sent',
    stored.filter(({ name, id }) => !names.has(name) && !callers.some(({ bid }) => id === bid)),
  )
  const bids = new Set(stored.flatMap(({ resource, id }) => (resource === 'bid' ? [id] : [])))
  requireNone(
    'projects without their bid',
    stored.filter(({ resource, bid }) => resource === 'project' && !bids.has(bid)),
  )
  if (engineOf(url).name === 'sqlite') checkFile(url)
}

function lostOf({ rows, acknowledged }: Sent, byName: ReadonlyMap<string, Stored>): Written[] {
  if (!acknowledged) return []
  return rows.filter(({ name, bid }, at) => {
    const found = byName.get(name)
    return found?.id !== acknowledged[at] || found?.bid !== bid
  })
}

function isHalf({ rows }: Sent, byName: ReadonlyMap<string, Stored>): boolean {
  const present = rows.filter(({ name }) => byName.has(name)).length
  return present !== 0 && present !== rows.length
}

/** Past the service, whose answers would hide what it should not have stored. */
function readAll(url: string): Promise<Stored[]> {
  return withDatabase(url, async (db) => {
    const rows = await db.read(
      sql`select 'project', id, bid_id, project_name from project union all select 'bid', id, id, bid_name from bid`,
    )
    return rows.map(([resource, id, bid, name]) => ({
      resource: String(resource),
      id: String(id),
      bid: resource === 'bid' ? '' : String(bid),
      name: String(name),
    }))
  })
}

function checkFile(path: string): void {
  const file = new File(path, { readonly: true })
  try {
    const [[verdict] = []] = file.query('pragma integrity_check').values()
    if (verdict !== 'ok') throw new Broken(`the file is damaged: ${verdict}`)
    requireNone('broken foreign keys', file.query('pragma foreign_key_check').values())
  } finally {
    file.close()
  }
}
