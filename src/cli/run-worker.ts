import { createLog } from '../log.ts'
import { openDatabase } from '../store/open.ts'
import { atMost } from '../traffic/at-most.ts'
import { closeMsMax, type Instance, startInstance } from './instance.ts'
import type { Said, Task, Told } from './workers.ts'

/** Serves beside others on one port, for as long as its supervisor is there and wants it. */
export function runWorker(): void {
  const stopped = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Instance>()
  process.on('message', (told: Told) => {
    if (told === 'stop') stopped.resolve()
    else if (told === 'metrics') void started.promise.then(sayMetrics)
    else work(told, started.resolve, stopped.promise)
  })
  // Nobody would stop it any more, nor start another in its place.
  process.on('disconnect', () => stopped.resolve())
  process.on('SIGTERM', () => stopped.resolve())
  // A terminal sends it to everybody; the supervisor passes it on.
  process.on('SIGINT', () => {})
}

const say = (said: Said) => process.send?.(said)

async function work({ serve, worker }: Task, started: (instance: Instance) => void, stopped: Promise<void>) {
  const log = createLog(serve.log)
  const db = openDatabase(serve)
  try {
    const instance = await startInstance(serve, { db, log, worker })
    started(instance)
    say({ base: instance.base })
    await stopped
    await instance.stop()
    await atMost(db.close(), closeMsMax)
    await log.flush()
  } catch (error) {
    say({ failed: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
  process.exit()
}

async function sayMetrics({ telemetry }: Instance): Promise<void> {
  say({ metrics: (await telemetry?.metrics?.json()) ?? [] })
}
