import { createApp } from '../app.ts'
import { type Config, ConfigError, isHttps } from '../config.ts'
import { createAuthenticate } from '../keys/authenticate.ts'
import { createUsage } from '../keys/usage.ts'
import type { Log } from '../log.ts'
import { createRest } from '../rest.ts'
import { listen } from '../server.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Database } from '../store/database.ts'
import { CommandError } from './command.ts'

/** Something that serves until it is told to stop. */
export interface Served {
  readonly base: string
  /** Finishes what is under way, and leaves nothing unwritten. */
  stop(): Promise<void>
}

/** The whole service in this process. */
export function startInstance(config: Config, db: Database, log: Log): Served {
  const usage = createUsage(db, (error) => log.error('usage', { cause: String(error) }))
  const rest = createRest({ db, authenticate: createAuthenticate(db), limits: config, rates: config })
  const settings = createSettings(db, config, log, () => server.base)
  const { trustedProxies } = config
  const app = createApp({ db, rest, settings, log, trustedProxies, isHttps: isHttps(config), usage })
  const server = orSay(config, () => listen(config, app))
  return {
    base: server.base,
    stop: async () => {
      await server.stop()
      await usage.stop()
    },
  }
}

/** What stands in the way of listening, in words that help. */
export function orSay<Result>({ host, port }: Config, listening: () => Result): Result {
  try {
    return listening()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)
    if (code === 'EACCES') throw new CommandError(`Port ${port} needs more rights. Set PORT to one above 1023.`)
    throw new CommandError(
      `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}. Check HOST and PORT.`,
    )
  }
}
