import { SQL } from 'bun'
import { backgroundConnections, reservedConnections, unpreparedConnections } from '../connections.ts'
import type { postgresConnection } from './postgres-connection.ts'

/**
 * `shared`: for all companies. `reserved`: for what the service needs to answer requests, such as who asks, and for companies
 * that have no statement running. `background`: for what the service does by itself. `unprepared`: for statements that
 * connections do not keep prepared.
 */
export type PoolName = 'shared' | 'reserved' | 'background' | 'unprepared'

/** The connection pools of one server. */
export interface Pools {
  readonly sizes: Readonly<Record<PoolName, number>>
  of(name: PoolName): SQL
  ageMs(): number
  /** Opens new pools. Statements on the old ones have `timeoutS` seconds to finish. */
  replace(timeoutS: number): void
  close(): Promise<void>
}

export function openPools(options: ReturnType<typeof postgresConnection>, connectionsMax: number): Pools {
  const reserved = reservedConnections(connectionsMax)
  const sizes = {
    shared: connectionsMax - reserved,
    reserved: reserved || connectionsMax,
    background: backgroundConnections,
    unprepared: unpreparedConnections(connectionsMax),
  }
  const open = (): Record<PoolName, SQL> => {
    const shared = new SQL({ ...options, max: sizes.shared })
    return {
      shared,
      // A pool of its own, because the driver pipelines statements on a connection behind those that run there.
      reserved: reserved === 0 ? shared : new SQL({ ...options, max: sizes.reserved }),
      background: new SQL({ ...options, max: sizes.background }),
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
