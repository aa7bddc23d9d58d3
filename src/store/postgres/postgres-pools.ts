import { SQL } from 'bun'
import type { postgresConnection } from './postgres-connection.ts'

/** Whose connections they are: of all companies, of those with nothing under way and of the service itself, and of rare statements. */
export type PoolName = 'everyones' | 'kept' | 'rare'

/** The connections to a server. */
export interface Pools {
  readonly sizes: Readonly<Record<PoolName, number>>
  of(name: PoolName): SQL
  ageMs(): number
  /** Opens new ones. Those that there were have so many seconds to finish. */
  replace(timeoutS: number): void
  close(): Promise<void>
}

/** How many of the connections are not for everyone. */
export const keptOf = (connectionsMax: number): number => Math.min(2, Math.floor(connectionsMax / 2))

/** Connections for statements that are not kept prepared, beside the others. */
export const rareOf = (connectionsMax: number): number => Math.min(3, connectionsMax)

export function openPools(options: ReturnType<typeof postgresConnection>, connectionsMax: number): Pools {
  const kept = keptOf(connectionsMax)
  const sizes = { everyones: connectionsMax - kept, kept: kept || connectionsMax, rare: rareOf(connectionsMax) }
  const open = (): Record<PoolName, SQL> => {
    const everyones = new SQL({ ...options, max: sizes.everyones })
    return {
      everyones,
      // Its own pool, because the driver lines statements up on a connection behind whatever runs there.
      kept: kept === 0 ? everyones : new SQL({ ...options, max: sizes.kept }),
      rare: new SQL({ ...options, max: sizes.rare, prepare: false }),
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
