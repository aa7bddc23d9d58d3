import { SQL } from 'bun'
import type { Hints } from '../database.ts'
import type { postgresConnection } from './postgres-connection.ts'
import type { Pools } from './postgres-pools.ts'

const channel = 'project_api_events'

/** By NOTIFY and LISTEN. A connection pooler in transaction mode loses what is listened for: then there are no hints. */
export function createHints(options: ReturnType<typeof postgresConnection>, pools: Pools): Hints {
  return {
    tell: async (companyId) => {
      await pools.of('reserved').unsafe('select pg_notify($1, $2)', [channel, companyId])
    },
    listen: async (hear) => {
      // A connection of its own: those of the pools are replaced now and then.
      const client = new SQL({ ...options, max: 1 })
      try {
        await client.listen(channel, hear)
      } catch (error) {
        await client.close()
        throw error
      }
      return () => client.close()
    },
  }
}
