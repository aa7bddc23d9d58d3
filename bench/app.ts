import { type App, createApp } from '../src/app.ts'
import { createCompress } from '../src/coding/create-compress.ts'
import { readConfig } from '../src/config/config.ts'
import { createEventFeed } from '../src/events/event-feed.ts'
import { createAuthenticate } from '../src/keys/authenticate.ts'
import { createUsage } from '../src/keys/usage.ts'
import { createLog } from '../src/log/log.ts'
import { createRequestLog } from '../src/request-log/create-request-log.ts'
import { createRest, type Rest } from '../src/rest.ts'
import { createSettings } from '../src/settings/create-settings.ts'
import type { Database } from '../src/store/database.ts'
import { openDatabase } from '../src/store/open.ts'
import { createByteBudget } from '../src/traffic/byte-budget.ts'

/** The service in this process, as `serve` composes it, but without a port. */
export interface Inside {
  readonly db: Database
  readonly rest: Rest
  readonly app: App
  close(): Promise<void>
}

export function openInside(databaseUrl: string): Inside {
  const config = readConfig({ DATABASE_URL: databaseUrl, LOG: 'off' }, false)
  const db = openDatabase(config)
  const log = createLog('off')
  const usage = createUsage(db, (error) => console.error(error))
  const requestLog = createRequestLog(db, (error) => console.error(error))
  const bytes = createByteBudget(config.bytesInFlightMax)
  const limits = { ...config, bytes }
  const feed = createEventFeed(db, (error) => console.error(error))
  const rest = createRest({ db, authenticate: createAuthenticate(db), limits, rates: config, feed })
  const settings = createSettings({ db, config: limits, log, listeningAt: () => '' })
  const close = async () => {
    await usage.stop()
    await requestLog.stop()
    await feed.stop()
    await db.close()
  }
  return {
    db,
    rest,
    app: createApp({
      ...{ db, rest, settings, log, usage, requestLog, trustedProxies: 0, isHttps: false, baseUrl: null, bytes },
      compress: createCompress(),
    }),
    close,
  }
}
