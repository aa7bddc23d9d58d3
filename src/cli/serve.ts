import { version } from '../../package.json'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { createAuthenticate } from '../keys/authenticate.ts'
import { createUsage } from '../keys/usage.ts'
import { createLog, type Log } from '../log.ts'
import { createRest } from '../rest.ts'
import { listen } from '../server.ts'
import { createSettings } from '../settings/create-settings.ts'
import type { Database } from '../store/database.ts'
import { sweepOnce } from '../store/execute-once.ts'
import { isPostgres } from '../store/open.ts'
import { banner } from './banner.ts'
import { type Command, CommandError } from './command.ts'
import { createDemo } from './demo.ts'
import { openReady } from './with-database.ts'

export const serve: Command = {
  summary: 'Serve the API until it is told to stop',
  words: [],
  flags: {},
  run: async ({ config, startedAt }) => {
    const db = await openReady(config)
    const log = createLog(config.log)
    const usage = createUsage(db, (error) => log.error('usage', { cause: String(error) }))
    const rest = createRest({ db, authenticate: createAuthenticate(db), limits: config, rateLimit: config.rateLimit })
    const settings = createSettings(db, config, log, () => server.base)
    const { trustProxy } = config
    const server = listenOrSay(config, createApp({ db, rest, settings, log, trustProxy, usage }))
    // Only now: a demo that was made before a failed start would never have been shown.
    const demo = config.demo && !isPostgres(config.databaseUrl) ? await createDemo(db) : null
    const start = {
      version,
      startedInMs: performance.now() - startedAt,
      base: server.base,
      page: config.baseUrl ?? server.base,
      database: db.location,
      demo,
    }
    process.stdout.write(banner(start))
    const sweeper = setInterval(() => sweep(db, log), sweepMs)
    await stopSignal()
    clearInterval(sweeper)
    log.info('stopping', {})
    await server.stop()
    await usage.stop()
    await db.close()
    log.flush()
    return null
  },
}

const sweepMs = 3_600_000

/** Nobody waits for it, so it must not fail unseen. */
function sweep(db: Database, log: Log): void {
  sweepOnce(db).catch((error) => log.error('sweep', { cause: String(error) }))
}

function listenOrSay(config: Config, app: ReturnType<typeof createApp>): ReturnType<typeof listen> {
  try {
    return listen(config, app)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${config.port} is taken. Stop what uses it, or set PORT to another.`)
    if (code === 'EACCES') throw new CommandError(`Port ${config.port} needs more rights. Set PORT to one above 1023.`)
    throw new CommandError(
      `Cannot listen on ${config.host}:${config.port}: ${error instanceof Error ? error.message : error}. Check HOST and PORT.`,
    )
  }
}

/** The first signal asks; a second one does not wait for what is under way. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
