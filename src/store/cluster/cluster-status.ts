import { tableOfAllCompanies } from '../compile/company-rows.ts'
import type { Database } from '../database.ts'
import { integer, sql } from '../sql.ts'

export interface Node {
  readonly name: string
  readonly role: 'coordinator' | 'worker'
  readonly active: boolean
  readonly shards: number
  readonly bytes: number
}

/** The machines, with how many of the groups of shards that belong together lie on each, and all that does. */
export async function listNodes(db: Database): Promise<Node[]> {
  const rows = await db.read(sql`
    select n.nodename || ':' || n.nodeport, n.groupid = 0, n.isactive,
      count(s.shardid) filter (where s.table_name = 'project'::regclass)::int, coalesce(sum(s.shard_size), 0)::text
    from pg_dist_node n left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport
    where n.noderole = 'primary'
    group by n.nodename, n.nodeport, n.groupid, n.isactive
    order by n.groupid`)
  return rows.map(([name, isCoordinator, active, shards, bytes]) => ({
    name: String(name),
    role: isCoordinator ? 'coordinator' : 'worker',
    active: Boolean(active),
    shards: Number(shards),
    bytes: Number(bytes),
  }))
}

export interface BigCompany {
  readonly id: string
  readonly name: string
  readonly projects: number
  readonly shard: string
  readonly node: string
  readonly shardBytes: number
}

/** The companies with the most projects, and the shard that each has its projects in. Counts them all. */
export async function listBiggest(db: Database, count: number): Promise<BigCompany[]> {
  const rows = await db.read(sql`
    select company_id, count(*)::text from ${tableOfAllCompanies('project')} group by company_id order by count(*) desc, company_id limit ${integer(count)}`)
  return Promise.all(rows.map(([id, projects]) => placeOf(db, String(id), Number(projects))))
}

async function placeOf(db: Database, id: string, projects: number): Promise<BigCompany> {
  const [[name] = []] = await db.read(sql`select name from company where id = ${id}`)
  const [[shard, node, bytes] = []] = await db.read(sql`
    select shardid::text, nodename || ':' || nodeport, coalesce(shard_size, 0)::text from citus_shards
    where shardid = get_shard_id_for_distribution_column('project', ${id}::uuid)`)
  return { id, name: String(name), projects, shard: String(shard), node: String(node), shardBytes: Number(bytes) }
}
