import { memoizeText } from '../../caches/memoize.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { uuidHash } from './uuid-hash.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** The companies whose hash is in a range, and the node that has their rows. */
interface Range {
  readonly from: number
  readonly to: number
  readonly address: Address
}

/** Where the rows of each company are, by the hash of its id. */
export type NodeMap = (companyId: string) => Address | null

/** Reads the map. One that is out of date costs time only: every node passes on what is not its own. */
export async function readNodeMap(coordinator: Pick<Database, 'read'>): Promise<NodeMap> {
  const rows = await coordinator.read(sql`
    select s.shardminvalue::int, s.shardmaxvalue::int, n.nodename::text, n.nodeport
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid = to_regclass('project') order by 1`)
  const ranges = rows.map(([from, to, host, port]) => ({
    from: Number(from),
    to: Number(to),
    address: addressOf(String(host), Number(port)),
  }))
  return (companyId) => findRange(ranges, hashOf(companyId))?.address ?? null
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

function findRange(ranges: readonly Range[], hash: number): Range | undefined {
  let [low, high] = [0, ranges.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (hash > (ranges[middle]?.to ?? 0)) low = middle + 1
    else high = middle
  }
  return ranges[low]
}
