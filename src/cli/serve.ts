import { version } from '../../package.json'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { createAuthenticate } from '../keys/authenticate.ts'
import { createLog } from '../log.ts'
import { createRest } from '../rest.ts'
import { listen } from '../server.ts'
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
    const rest = createRest({ db, authenticate: createAuthenticate(db), limits: config })
    const server = listenOrSay(config, createApp({ db, rest, log }))
    // Only now: a demo that was made before a failed start would never have been shown.
    const demo = config.demo && !isPostgres(config.databaseUrl) ? await createDemo(db) : null
    const start = {
      version,
      startedInMs: performance.now() - startedAt,
      base: server.base,
      database: db.location,
      demo,
    }
    process.stdout.write(banner(start))
    await stopSignal()
    log.info('stopping', {})
    await server.stop()
    await db.close()
    log.flush()
    return null
  },
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
