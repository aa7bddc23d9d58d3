import { tableOfAllCompanies } from '../compile/company-rows.ts'
import type { Database } from '../database.ts'
import { integer, sql, textLiteral } from '../sql.ts'
import { askNodes } from './ask-nodes.ts'

export interface Node {
  readonly name: string
  readonly role: 'coordinator' | 'worker'
  /** It answers. */
  readonly active: boolean
  readonly shards: number
  /** null: it does not answer. */
  readonly bytes: number | null
}

/** The machines, with how many of the groups of shards that belong together lie on each, and all that does. */
export async function listNodes(db: Database): Promise<Node[]> {
  const rows = await db.read(sql`
    select n.nodeid, n.nodename || ':' || n.nodeport, n.groupid = 0, count(s.shardid)::int
    from pg_dist_node n left join pg_dist_placement p on p.groupid = n.groupid
    left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = to_regclass('project')
    where n.noderole = 'primary'
    group by n.nodeid, n.nodename, n.nodeport, n.groupid
    order by n.groupid`)
  const sizes = await askNodes(db, bytesOfShards)
  return rows.map(([id, name, isCoordinator, shards]) => {
    const bytes = sizes.get(Number(id)) ?? null
    return {
      name: String(name),
      role: isCoordinator ? 'coordinator' : 'worker',
      active: bytes !== null,
      shards: Number(shards),
      bytes: bytes === null ? null : Number(bytes),
    }
  })
}

const bytesOfShards = `select coalesce(sum(pg_total_relation_size(to_regclass(shard_name(s.logicalrelid, s.shardid)))), 0)
  from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid join pg_dist_local_group g on g.groupid = p.groupid`

export interface BigCompany {
  readonly id: string
  readonly name: string
  readonly projects: number
  readonly shard: string
  readonly node: string
  readonly shardBytes: number
}

/** The companies with the most projects, and the shard that each has its projects in. Counts them all, so every node is needed. */
export async function listBiggest(db: Database, count: number): Promise<BigCompany[]> {
  const rows = await db.read(sql`
    select company_id, count(*)::text from ${tableOfAllCompanies('project')} group by company_id order by count(*) desc, company_id limit ${integer(count)}`)
  return Promise.all(rows.map(([id, projects]) => findPlace(db, String(id), Number(projects))))
}

async function findPlace(db: Database, id: string, projects: number): Promise<BigCompany> {
  const [[name] = []] = await db.read(sql`select name from company where id = ${id}`)
  const [[shard, node, bytes] = []] = await db.read(sql`
    select shardid::text, nodename || ':' || nodeport, coalesce(shard_size, 0)::text from citus_shards
    where shardid = get_shard_id_for_distribution_column(${textLiteral('project')}, ${id}::uuid)`)
  return { id, name: String(name), projects, shard: String(shard), node: String(node), shardBytes: Number(bytes) }
}
