import { memoizeText } from '../../caches/memoize.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { uuidHash } from './uuid-hash.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The companies whose hash is in a range, the node that has their rows, and the tables there. */
export interface Shard {
  readonly from: number
  readonly to: number
  readonly address: Address
  /** What each distributed table is called, as SQL. */
  readonly tables: Readonly<Record<string, string>>
}

/** Where the rows of each company are, by the hash of its id. */
export interface NodeMap {
  readonly shards: readonly Shard[]
  shardOf(companyId: string): Shard | null
}

export const emptyMap: NodeMap = { shards: [], shardOf: () => null }

/** Reads the map. With one that is out of date, a company's statement costs more time, because every node passes on what is not its own. */
export async function readNodeMap(coordinator: Pick<Database, 'read'>): Promise<NodeMap> {
  const rows = await coordinator.read(sql`
    select s.shardminvalue::int, s.shardmaxvalue::int, n.nodename::text, n.nodeport,
      json_object_agg(c.relname, shard_name(s.logicalrelid, s.shardid))::text
    from pg_dist_partition anchor join pg_dist_partition t on t.colocationid = anchor.colocationid
    join pg_class c on c.oid = t.logicalrelid join pg_dist_shard s on s.logicalrelid = t.logicalrelid
    join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where anchor.logicalrelid = to_regclass('project') group by 1, 2, 3, 4 order by 1`)
  const shards = rows.map(([from, to, host, port, tables]) => ({
    from: Number(from),
    to: Number(to),
    address: addressOf(String(host), Number(port)),
    tables: JSON.parse(String(tables)),
  }))
  return { shards, shardOf: (companyId) => findShard(shards, hashOf(companyId)) }
}

/** One object for each node, so that it can be a key. */
const addresses = new Map<string, Address>()

function addressOf(host: string, port: number): Address {
  const name = `${host}:${port}`
  const known = addresses.get(name) ?? { host, port }
  addresses.set(name, known)
  return known
}

const hashOf = memoizeText(uuidHash)

function findShard(shards: readonly Shard[], hash: number): Shard | null {
  let [low, high] = [0, shards.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (hash > (shards[middle]?.to ?? 0)) low = middle + 1
    else high = middle
  }
  return shards[low] ?? null
}
