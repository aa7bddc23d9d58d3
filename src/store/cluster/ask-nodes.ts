import type { Database } from '../database.ts'
import { sql, textLiteral } from '../sql.ts'

/** Asks every node, the coordinator as well, for one value; by the number of the node, without those that do not answer. */
export async function askNodes(db: Pick<Database, 'read'>, question: string): Promise<ReadonlyMap<number, string>> {
  const rows = await db.read(sql`
    select nodeid, result from run_command_on_all_nodes(${textLiteral(question)}) where success`)
  return new Map(rows.map(([id, result]) => [Number(id), String(result)]))
}
