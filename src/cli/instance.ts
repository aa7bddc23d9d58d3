import { createApp } from '../app.ts'
import { createCompress } from '../coding/create-compress.ts'
import { type Config, isHttps } from '../config/config.ts'
import { ConfigError } from '../config/parse-settings.ts'
import { createEventFeed } from '../events/event-feed.ts'
import { createLive } from '../events/live/create-live.ts'
import { createAuthenticate } from '../keys/authenticate.ts'
import { createUsage } from '../keys/usage.ts'
import type { Log } from '../log/log.ts'
import { createRequestLog } from '../request-log/create-request-log.ts'
import { createRest } from '../rest.ts'
import { listen } from '../server.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Database } from '../store/database.ts'
import { createTelemetry, type Telemetry } from '../telemetry/create-telemetry.ts'
import { atMost } from '../traffic/at-most.ts'
import { createByteBudget } from '../traffic/byte-budget.ts'
import { createRequestTurns } from '../traffic/loop-turns.ts'
import { CommandError } from './command.ts'
import { createWebhookDispatcher } from './webhook-dispatcher.ts'

/** A running service, in one or several processes. */
export interface Served {
  readonly base: string
  /** The metrics page; null without an operator port. */
  readonly metrics: (() => Promise<string>) | null
  /** Waits for running requests, and writes everything that is buffered. */
  stop(): Promise<void>
}

/** A service in this process. */
export interface Instance extends Served {
  readonly telemetry: Telemetry | null
}

export interface InstanceParts {
  readonly db: Database
  readonly log: Log
  /** The number of this process; null if it is the only one. */
  readonly worker?: number | null
}

/** How long the shutdown waits for the database after the last request. */
export const closeMsMax = 5000
/** When the pages of the documentation are made, unless one is asked for sooner. A new instance has requests to answer first. */
const pagesAfterMs = 10_000

/** Starts the whole service in this process. */
export async function startInstance(config: Config, { db, log, worker = null }: InstanceParts): Promise<Instance> {
  const usage = createUsage(db, (error) => log.error('usage', { cause: String(error) }))
  const requestLog = config.requestLog
    ? createRequestLog(db, (error) => log.error('request_log', { cause: String(error) }))
    : null
  const turns = createRequestTurns(config.queueMax)
  const bytes = createByteBudget(config.bytesInFlightMax)
  const authenticate = createAuthenticate(db)
  const failed = (error: unknown) => log.error('events', { cause: String(error) })
  const feed = createEventFeed(db, failed)
  const events = { feed, live: createLive(db, feed, config, failed) }
  const dispatcher = createWebhookDispatcher(config, { db, log, baseUrl: () => config.baseUrl ?? server.base })
  const telemetry = await createTelemetry(config, {
    db,
    events,
    turns,
    lookUps: authenticate.lookUps,
    bytes,
    webhooks: dispatcher,
    worker,
    report: (cause) => log.error('traces', { cause }),
  })
  const limits = { ...config, bytes }
  const rest = createRest({ db, authenticate, limits, rates: config, turns, ...events })
  const settings = createSettings({ db, config: limits, log, listeningAt: () => server.base, turns, events })
  const { trustedProxies, baseUrl } = config
  const site = { trustedProxies, baseUrl, isHttps: isHttps(config) }
  const app = createApp({
    ...{ db, rest, settings, log, usage, requestLog, telemetry, bytes, ...site },
    compress: config.compress ? createCompress() : null,
  })
  const server = explainListenErrors(config, () => listen(config, app))
  // What cannot be made then is made, or refused, when it is asked for.
  setTimeout(() => void app.prepare().catch(() => {}), pagesAfterMs).unref()
  feed.subscribeAll(dispatcher.wake)
  dispatcher.start()
  return {
    base: server.base,
    metrics: telemetry?.metrics ? telemetry.metrics.text : null,
    telemetry,
    stop: async () => {
      // They would never end by themselves.
      events.live.stop()
      await server.stop()
      await atMost(dispatcher.stop(), closeMsMax)
      await atMost(Promise.all([usage.stop(), requestLog?.stop(), feed.stop()]), closeMsMax)
      await telemetry?.stop()
    },
  }
}

/** The address to listen on. `prefix`: of the names of its settings. */
interface Address extends Pick<Config, 'host'> {
  readonly port: number
  readonly prefix?: string
}

/** Runs `listening`, and explains to the user why it fails. */
export function explainListenErrors<Result>({ host, port, prefix = '' }: Address, listening: () => Result): Result {
  try {
    return listening()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is in use. Stop the program that uses it, or set ${prefix}PORT to another.`)
    if (code === 'EACCES')
      throw new CommandError(`No permission for port ${port}. Set ${prefix}PORT to a port above 1023.`)
    throw new CommandError(
      `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}. Check ${prefix}HOST and ${prefix}PORT.`,
    )
  }
}
