import { addLoads } from '../../traffic/turns.ts'
import type { Database, StoreLoad } from '../database.ts'
import { definedSql, sql } from '../sql.ts'
import { askNodes } from './ask-nodes.ts'
import { type Address, emptyMap, type NodeMap, readNodeMap, type Shard } from './node-map.ts'
import { shardStatement } from './shard-statement.ts'

/** How long the map of the nodes is used before it is read again. */
const mapMs = 5000
/** How long to wait before a node that could not be reached is tried again. */
const retryMs = 60_000

/** The connections for the companies of one node. */
interface Node {
  readonly db: Database
  /** They lead straight to the node, and not by way of the coordinator. */
  readonly isDirect: boolean
  /** They end at the node itself, and not at another one, which does not know its shards. */
  readonly isOwn: boolean
  readonly triedAt: number
}

/** Opens connections to a node, or for a node by way of the coordinator (null). */
export type OpenNode = (address: Address | null) => Database

/**
 * A cluster. What is about the rows of one company goes straight to the node that has them, which saves the coordinator's
 * work. Each node has its own connections and queues, so that one that hangs delays only its own companies.
 */
export function spreadOverNodes(coordinator: Database, openNode: OpenNode): Database {
  const nodes = new Map<Address, Node>()
  /** All that were opened. They stay open, because a long list may still be read from one that is no longer chosen. */
  const opened = [coordinator]
  let map = emptyMap
  let readAt = Number.NEGATIVE_INFINITY
  /** What is found out while requests go on. */
  const underWay = new Set<Promise<void>>()

  function inBackground(work: Promise<void>): void {
    // What was known before is still good enough.
    const ended = work.catch(() => {}).finally(() => underWay.delete(ended))
    underWay.add(ended)
  }

  async function readAgain(): Promise<void> {
    readAt = performance.now()
    map = await readNodeMap(coordinator)
  }

  function currentMap(): NodeMap {
    if (performance.now() - readAt > mapMs) inBackground(readAgain())
    return map
  }

  function find(address: Address): Node {
    const known = nodes.get(address)
    const now = performance.now()
    if (known && (known.isDirect || now - known.triedAt < retryMs)) return known
    const meanwhile = { db: known?.db ?? coordinator, isDirect: false, isOwn: false, triedAt: now }
    nodes.set(address, meanwhile)
    inBackground(reach(address))
    return meanwhile
  }

  async function reach(address: Address): Promise<void> {
    const db = openNode(address)
    const end = await endOf(coordinator, db).catch(() => null)
    if (end === null) await db.close().catch(() => {})
    const before = nodes.get(address)?.db ?? coordinator
    const chosen = end !== null ? db : before === coordinator ? openNode(null) : before
    const triedAt = performance.now()
    nodes.set(address, { db: chosen, isDirect: end !== null, isOwn: end === nameOf(address), triedAt })
    if (!opened.includes(chosen)) opened.push(chosen)
  }

  const forRows: Database['forRows'] = (companyId) => {
    const shard = currentMap().shardOf(companyId)
    return (shard === null ? coordinator : find(shard.address).db).forCompany(companyId)
  }

  const inquire: Database['inquire'] = (question, companyIds) => {
    const { shards, shardOf } = currentMap()
    const wanted = companyIds === undefined ? new Map(shards.map((shard) => [shard, []])) : groupBy(companyIds, shardOf)
    if (wanted === null || wanted.size === 0) return coordinator.inquire(question, companyIds)
    const byNode = Map.groupBy(wanted, ([{ address }]) => address)
    const asked = [...byNode].map(([address, own]) => ({ ...find(address), node: nameOf(address), own }))
    const [far, ...others] = asked.filter(({ isOwn }) => !isOwn)
    const ids = companyIds && [far, ...others].flatMap((one) => one?.own.flatMap(([, some]) => some) ?? [])
    return [
      ...asked
        .filter(({ isOwn }) => isOwn)
        .map(({ node, db, own }) => ({ node, db, statement: shardStatement(question, own) })),
      // Of these, any way leads to all rows.
      ...(far?.db.inquire(question, ids) ?? []),
    ]
  }

  return {
    ...coordinator,
    forRows,
    inquire,
    nodeOf: (companyId) => {
      const shard = map.shardOf(companyId)
      return shard === null ? '' : nameOf(shard.address)
    },
    isSpread: true,
    load: () => opened.map((db) => db.load()).reduce(together),
    close: async () => {
      await Promise.all(underWay)
      await Promise.all(opened.map((db) => db.close()))
    },
  }
}

const nameOf = ({ host, port }: Address): string => `${host}:${port}`

/** null if the shard of one is not known. */
function groupBy(
  companyIds: readonly string[],
  shardOf: NodeMap['shardOf'],
): ReadonlyMap<Shard, readonly string[]> | null {
  const shards = Map.groupBy(companyIds, shardOf)
  return shards.has(null) ? null : (shards as ReadonlyMap<Shard, readonly string[]>)
}

/** Names a running server and a database on it. A clone has the same rows, but was started at another time. */
const serverName = `select current_database() || ' ' || extract(epoch from pg_postmaster_start_time())`

/**
 * The node at which connections end; null if it is none of this cluster. The coordinator's address of a node may lead
 * elsewhere from here: `localhost`, for example, or to a clone of the cluster. PgBouncer always leads to the coordinator.
 */
async function endOf(coordinator: Database, node: Database): Promise<string | null> {
  // A node that does not know the distributed tables cannot take statements.
  const [[found, name] = []] = await node.read(
    sql`${definedSql(serverName)}, (select n.nodename || ':' || n.nodeport from pg_dist_node n join pg_dist_local_group g
          on g.groupid = n.groupid where n.noderole = 'primary')
        from pg_dist_partition where logicalrelid = to_regclass('project')`,
  )
  // Any node will do, because every node passes on what is not its own.
  const wanted = await askNodes(coordinator, serverName)
  return [...wanted.values()].some((one) => one === found) ? String(name) : null
}

function together(one: StoreLoad, other: StoreLoad): StoreLoad {
  const queues = Object.entries(one.queues).map(([name, load]) => {
    const more = other.queues[name]
    return [name, more ? addLoads(load, more) : load] as const
  })
  return {
    ...one,
    queues: Object.fromEntries(queues),
    connectionsMax: (one.connectionsMax ?? 0) + (other.connectionsMax ?? 0),
  }
}
