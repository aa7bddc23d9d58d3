import { createLog } from '../log/log.ts'
import { openDatabase } from '../store/open.ts'
import { atMost } from '../traffic/at-most.ts'
import { closeMsMax, type Instance, startInstance } from './instance.ts'
import type { SupervisorMessage, Task, WorkerMessage } from './workers.ts'

/** Serves on a port that it shares with other workers, until the supervisor stops it or ends. */
export function runWorker(): void {
  const stopped = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Instance>()
  process.on('message', (message: SupervisorMessage) => {
    if (message === 'stop') stopped.resolve()
    else if (message === 'metrics') void started.promise.then(sendMetrics)
    else void work(message, started.resolve, stopped.promise)
  })
  // The supervisor has ended: nobody else would stop or replace this worker.
  process.on('disconnect', () => stopped.resolve())
  process.on('SIGTERM', () => stopped.resolve())
  // A terminal sends it to the whole process group; the supervisor passes it on.
  process.on('SIGINT', () => {})
}

const send = (message: WorkerMessage) => process.send?.(message)

async function work({ serve, worker }: Task, started: (instance: Instance) => void, stopped: Promise<void>) {
  try {
    const log = createLog(serve.log, serve.logLevel)
    const db = openDatabase(serve)
    const instance = await startInstance(serve, { db, log, worker })
    started(instance)
    send({ base: instance.base })
    await stopped
    await instance.stop()
    await atMost(db.close(), closeMsMax)
    await log.flush()
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
  }
  process.exit()
}

async function sendMetrics({ telemetry }: Instance): Promise<void> {
  send({ metrics: (await telemetry?.metrics?.json()) ?? [] })
}
