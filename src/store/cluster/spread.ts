import type { Database, StoreLoad } from '../database.ts'
import { definedSql, sql } from '../sql.ts'
import { askNodes } from './ask-nodes.ts'
import { type Address, type NodeMap, readNodeMap } from './node-map.ts'

/** How long the map of the nodes is used before it is read again. */
const mapMs = 5000
/** How long to wait before a node that could not be reached is tried again. */
const retryMs = 60_000

/** The connections for the companies of one node. */
interface Node {
  readonly db: Database
  /** They lead straight to the node, and not by way of the coordinator. */
  readonly isDirect: boolean
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
  let nodeOf: NodeMap = () => null
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
    nodeOf = await readNodeMap(coordinator)
  }

  function find(address: Address): Database {
    const known = nodes.get(address)
    const now = performance.now()
    if (known && (known.isDirect || now - known.triedAt < retryMs)) return known.db
    nodes.set(address, { db: known?.db ?? coordinator, isDirect: false, triedAt: now })
    inBackground(reach(address))
    return known?.db ?? coordinator
  }

  async function reach(address: Address): Promise<void> {
    const db = openNode(address)
    const isDirect = await isSameCluster(coordinator, db).catch(() => false)
    if (!isDirect) await db.close().catch(() => {})
    const before = nodes.get(address)?.db ?? coordinator
    const chosen = isDirect ? db : before === coordinator ? openNode(null) : before
    nodes.set(address, { db: chosen, isDirect, triedAt: performance.now() })
    if (!opened.includes(chosen)) opened.push(chosen)
  }

  const forRows: Database['forRows'] = (companyId) => {
    if (performance.now() - readAt > mapMs) inBackground(readAgain())
    const address = nodeOf(companyId)
    return (address === null ? coordinator : find(address)).forCompany(companyId)
  }

  return {
    ...coordinator,
    forRows,
    isSpread: true,
    load: () => opened.map((db) => db.load()).reduce(together),
    close: async () => {
      await Promise.all(underWay)
      await Promise.all(opened.map((db) => db.close()))
    },
  }
}

/** Names a running server and a database on it. A clone has the same rows, but was started at another time. */
const serverName = `select current_database() || ' ' || extract(epoch from pg_postmaster_start_time())`

/** The coordinator's address of a node may lead elsewhere from here: `localhost`, for example, or to a clone of the cluster. */
async function isSameCluster(coordinator: Database, node: Database): Promise<boolean> {
  // A node that does not know the distributed tables cannot take statements.
  const [[found] = []] = await node.read(
    sql`${definedSql(serverName)} from pg_dist_partition where logicalrelid = to_regclass('project')`,
  )
  // Any node will do, because every node passes on what is not its own. PgBouncer always leads to the coordinator.
  const wanted = await askNodes(coordinator, serverName)
  return [...wanted.values()].some((name) => name === found)
}

function together(one: StoreLoad, other: StoreLoad): StoreLoad {
  const queues = Object.entries(one.queues).map(([name, load]) => {
    const more = other.queues[name] ?? { underWay: 0, waiting: 0, refused: 0 }
    const sum = {
      underWay: load.underWay + more.underWay,
      waiting: load.waiting + more.waiting,
      refused: load.refused + more.refused,
    }
    return [name, sum] as const
  })
  return {
    ...one,
    queues: Object.fromEntries(queues),
    connectionsMax: (one.connectionsMax ?? 0) + (other.connectionsMax ?? 0),
  }
}
