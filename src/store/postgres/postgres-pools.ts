import { SQL } from 'bun'
import type { postgresConnection } from './postgres-connection.ts'

/**
 * `shared`: for all companies. `reserved`: for the service itself, and for companies that have no statement running.
 * `unprepared`: for statements that connections do not keep prepared.
 */
export type PoolName = 'shared' | 'reserved' | 'unprepared'

/** The connection pools of one server. */
export interface Pools {
  readonly sizes: Readonly<Record<PoolName, number>>
  of(name: PoolName): SQL
  ageMs(): number
  /** Opens new pools. Statements on the old ones have `timeoutS` seconds to finish. */
  replace(timeoutS: number): void
  close(): Promise<void>
}

/** The size of the reserved pool, part of `connectionsMax`. */
export const reservedConnections = (connectionsMax: number): number => Math.min(2, Math.floor(connectionsMax / 2))

/** The size of the unprepared pool, in addition to `connectionsMax`. */
export const unpreparedConnections = (connectionsMax: number): number => Math.min(3, connectionsMax)

/** Of one of several workers, which share `connectionsMax`. */
export const workerConnections = (connectionsMax: number, workers: number): number =>
  Math.max(1, Math.floor(connectionsMax / workers))

/** Of the process that supervises workers. */
export const supervisorConnections = 1

/** All that one instance opens: the pools of its processes, and in those that serve, one connection for live streams. */
export function instanceConnections(connectionsMax: number, workers: number): number {
  const pools = (size: number): number => size + unpreparedConnections(size)
  if (workers === 1) return pools(connectionsMax) + 1
  return workers * (pools(workerConnections(connectionsMax, workers)) + 1) + pools(supervisorConnections)
}

export function openPools(options: ReturnType<typeof postgresConnection>, connectionsMax: number): Pools {
  const reserved = reservedConnections(connectionsMax)
  const sizes = {
    shared: connectionsMax - reserved,
    reserved: reserved || connectionsMax,
    unprepared: unpreparedConnections(connectionsMax),
  }
  const open = (): Record<PoolName, SQL> => {
    const shared = new SQL({ ...options, max: sizes.shared })
    return {
      shared,
      // A pool of its own, because the driver pipelines statements on a connection behind those that run there.
      reserved: reserved === 0 ? shared : new SQL({ ...options, max: sizes.reserved }),
      unprepared: new SQL({ ...options, max: sizes.unprepared, prepare: false }),
    }
  }
  let pools = open()
  let openedAt = performance.now()
  return {
    sizes,
    of: (name) => pools[name],
    ageMs: () => performance.now() - openedAt,
    replace: (timeoutS) => {
      const used = pools
      pools = open()
      openedAt = performance.now()
      void closeAll(used, { timeout: timeoutS }).catch(() => {})
    },
    close: () => closeAll(pools, {}),
  }
}

async function closeAll(pools: Record<PoolName, SQL>, options: { readonly timeout?: number }): Promise<void> {
  await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.close(options)))
}
