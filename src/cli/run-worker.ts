import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { openDatabase } from '../store/open.ts'
import { startInstance } from './instance.ts'
import type { Said, Told } from './workers.ts'

/** What the program is called with to be one of several: not for people, and so no command. */
export const workerWord = 'worker'

/** Serves beside others on one port, for as long as its supervisor is there and wants it. */
export function runWorker(): void {
  const stopped = Promise.withResolvers<void>()
  process.on('message', (told: Told) => {
    if (told === 'stop') stopped.resolve()
    else work(told.serve, stopped.promise)
  })
  // Nobody would stop it any more, nor start another in its place.
  process.on('disconnect', () => stopped.resolve())
  process.on('SIGTERM', () => stopped.resolve())
  // A terminal sends it to everybody; the supervisor passes it on.
  process.on('SIGINT', () => {})
}

async function work(config: Config, stopped: Promise<void>): Promise<void> {
  const log = createLog(config.log)
  const db = openDatabase(config)
  const say = (said: Said) => process.send?.(said)
  try {
    const { base, stop } = startInstance(config, db, log)
    say({ base })
    await stopped
    await stop()
    await db.close()
    log.flush()
  } catch (error) {
    say({ failed: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
  process.exit()
}
