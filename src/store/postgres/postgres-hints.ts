import { SQL } from 'bun'
import type { Hints } from '../database.ts'
import type { postgresConnection } from './postgres-connection.ts'
import type { Pools } from './postgres-pools.ts'

const channel = 'project_api_events'

/** By NOTIFY and LISTEN. A connection pooler in transaction mode loses what is listened for: then there are no hints. */
export function createHints(options: ReturnType<typeof postgresConnection>, pools: Pools): Hints {
  /** The server sends everybody's hints to everybody. */
  const sender = `${Bun.randomUUIDv7()} `
  return {
    tell: async (companyIds) => {
      const payloads = companyIds.map((companyId) => sender + companyId)
      const lists = `{${payloads.map((payload) => `"${payload}"`).join()}}`
      await pools
        .of('reserved')
        .unsafe('select pg_notify($1, payload) from unnest($2::text::text[]) as payload', [channel, lists])
    },
    listen: async (hear) => {
      // A connection of its own: those of the pools are replaced now and then.
      const client = new SQL({ ...options, max: 1 })
      try {
        await client.listen(channel, (payload) => {
          if (!payload.startsWith(sender)) hear(payload.slice(sender.length))
        })
      } catch (error) {
        await client.close()
        throw error
      }
      return () => client.close()
    },
  }
}
