import { createApp } from '../app.ts'
import { type Config, ConfigError, isHttps } from '../config/config.ts'
import { createAuthenticate } from '../keys/authenticate.ts'
import { createUsage } from '../keys/usage.ts'
import type { Log } from '../log.ts'
import { createRest } from '../rest.ts'
import { listen } from '../server.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Database } from '../store/database.ts'
import { createTelemetry, type Telemetry } from '../telemetry/create-telemetry.ts'
import { atMost } from '../traffic/at-most.ts'
import { createByteBudget } from '../traffic/byte-budget.ts'
import { createRequestTurns } from '../traffic/loop-turns.ts'
import { CommandError } from './command.ts'

/** Something that serves until it is told to stop. */
export interface Served {
  readonly base: string
  /** The page of metrics, where somebody may ask for it. */
  readonly metrics: (() => Promise<string>) | null
  /** Finishes what is under way, and leaves nothing unwritten. */
  stop(): Promise<void>
}

/** One that is told apart from others by its number, and lets them show what it measures. */
export interface Instance extends Served {
  readonly telemetry: Telemetry | null
}

export interface InstanceParts {
  readonly db: Database
  readonly log: Log
  /** Which of several processes it is. */
  readonly worker?: number | null
}

/** How long the end may wait for the database once no request is under way any more. */
export const closeMsMax = 5000

/** The whole service in this process. */
export async function startInstance(config: Config, { db, log, worker = null }: InstanceParts): Promise<Instance> {
  const usage = createUsage(db, (error) => log.error('usage', { cause: String(error) }))
  const turns = createRequestTurns(config.queueMax)
  const bytes = createByteBudget(config.bytesInFlightMax)
  const authenticate = createAuthenticate(db)
  const telemetry = await createTelemetry(config, {
    db,
    turns,
    lookUps: authenticate.lookUps,
    bytes,
    worker,
    report: (cause) => log.error('traces', { cause }),
  })
  const limits = { ...config, bytes }
  const rest = createRest({ db, authenticate, limits, rates: config, turns })
  const settings = createSettings(db, limits, log, () => server.base, turns)
  const { trustedProxies } = config
  const app = createApp({ db, rest, settings, log, trustedProxies, isHttps: isHttps(config), usage, telemetry, bytes })
  const server = orSay(config, () => listen(config, app))
  return {
    base: server.base,
    metrics: telemetry?.metrics ? telemetry.metrics.text : null,
    telemetry,
    stop: async () => {
      await server.stop()
      await atMost(usage.stop(), closeMsMax)
      await telemetry?.stop()
    },
  }
}

/** Where to listen, and what the settings for it are called. */
interface Address extends Pick<Config, 'host'> {
  readonly port: number
  readonly prefix?: string
}

/** What stands in the way of listening, in words that help. */
export function orSay<Result>({ host, port, prefix = '' }: Address, listening: () => Result): Result {
  try {
    return listening()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is taken. Stop what uses it, or set ${prefix}PORT to another.`)
    if (code === 'EACCES')
      throw new CommandError(`Port ${port} needs more rights. Set ${prefix}PORT to one above 1023.`)
    throw new CommandError(
      `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}. Check ${prefix}HOST and ${prefix}PORT.`,
    )
  }
}
