import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { ownCommand } from '../packaging.ts'
import { processWord } from '../process-word.ts'
import { findPort } from '../server.ts'
import { workerConnections } from '../store/connections.ts'
import { type MetricsJson, mergeMetrics } from '../telemetry/create-telemetry.ts'
import { atMost } from '../traffic/at-most.ts'
import { trySend } from '../try-send.ts'
import { CommandError } from './command.ts'
import { closeMsMax, explainListenErrors, type Served } from './instance.ts'
import { createQuestion } from './question.ts'

/** From a worker to its supervisor. */
export type WorkerMessage = { readonly base: string } | { readonly failed: string } | { readonly metrics: MetricsJson }
/** The settings and the number of a worker. */
export interface Task {
  readonly serve: Config
  readonly worker: number
}
/** From the supervisor to a worker. */
export type SupervisorMessage = Task | 'stop' | 'metrics'

/** A worker that ends sooner than this is restarted with exponential backoff. */
const crashMs = 5000
const backoffMs = { first: 100, most: 10_000 }
/** The metrics page omits a worker that does not answer in time. */
const metricsMsMax = 2000

/** Starts `config.workers` processes that share one port, and restarts those that end. */
export async function startWorkers(config: Config, log: Log): Promise<Served> {
  const settings = workerConfig(config)
  const running = new Set<Worker>()
  const stopping = Promise.withResolvers<void>()
  let isStopping = false

  const start = (at: number): Worker => {
    const worker = spawnWorker({ serve: settings, worker: at + 1 })
    running.add(worker)
    worker.ended.then(() => running.delete(worker))
    return worker
  }
  /** The system may have no room for another process now. */
  const tryStart = (at: number): Worker | Error => {
    try {
      return start(at)
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
  const kill = () => {
    for (const { kill } of running) kill()
  }
  // A second signal ends this process at once; the workers must end with it.
  process.once('exit', kill)

  const supervise = async (first: Worker, at: number): Promise<void> => {
    let crashes = 0
    for (let worker: Worker | Error = first; ; worker = tryStart(at)) {
      const startedAt = performance.now()
      const what =
        worker instanceof Error
          ? `A worker could not be started: ${worker.message}.`
          : `Worker ${worker.pid} ended with ${await worker.ended}.`
      if (isStopping) return
      crashes = performance.now() - startedAt < crashMs ? crashes + 1 : 0
      const pause = crashes === 0 ? 0 : Math.min(backoffMs.first * 2 ** (crashes - 1), backoffMs.most)
      log.error('worker', { cause: `${what} Another one starts in ${pause} ms.` })
      await Promise.race([Bun.sleep(pause), stopping.promise])
      if (isStopping) return
    }
  }

  const workers = Array.from({ length: config.workers }, (_, at) => start(at))
  const [base = ''] = await Promise.all(workers.map(({ ready }) => ready)).catch((error) => {
    kill()
    throw error
  })
  for (const [at, worker] of workers.entries()) void supervise(worker, at)
  const metrics = async () => mergeMetrics(await Promise.all([...running].map((worker) => worker.metrics())))
  return {
    base,
    metrics: config.adminPort === null ? null : metrics,
    stop: async () => {
      isStopping = true
      stopping.resolve()
      await Promise.all([...running].map((worker) => worker.stop()))
    },
  }
}

/** The settings of each worker: a part of the connections, and the same port. */
function workerConfig(config: Config): Config {
  const connectionsMax = workerConnections(config.connectionsMax, config.workers)
  return { ...config, port: explainListenErrors(config, () => findPort(config)), connectionsMax }
}

interface Worker {
  readonly pid: number
  /** Resolves to its URL. */
  readonly ready: Promise<string>
  /** Resolves to the exit code or signal, for the log. */
  readonly ended: Promise<string>
  /** Empty if it does not answer. */
  metrics(): Promise<MetricsJson>
  stop(): Promise<void>
  kill(): void
}

function spawnWorker(task: Task): Worker {
  // The time for running requests, and then for usage counts, traces and the database.
  const stopMsMax = task.serve.stopTimeoutS * 1000 + 4 * closeMsMax
  const ready = Promise.withResolvers<string>()
  const measured = createQuestion<MetricsJson>(metricsMsMax, [])
  const child = Bun.spawn([...ownCommand, processWord.worker], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message: WorkerMessage) => {
      if ('metrics' in message) measured.answer(message.metrics)
      else if ('base' in message) ready.resolve(message.base)
      else ready.reject(new CommandError(message.failed))
    },
  })
  const send = (message: SupervisorMessage) => trySend(child, message)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  send(task)
  const ended = child.exited.then(() => (child.signalCode ? String(child.signalCode) : `exit code ${child.exitCode}`))
  ended.then((how) => ready.reject(new CommandError(`A worker ended with ${how} before it was ready.`)))
  // Nobody awaits `ready` of a restarted worker.
  ready.promise.catch(() => {})
  return {
    pid: child.pid,
    ready: ready.promise,
    ended,
    metrics: async () => (isRunning() ? measured.ask(() => send('metrics')) : []),
    stop: async () => {
      if (isRunning()) send('stop')
      if (!(await atMost(ended, stopMsMax))) child.kill('SIGKILL')
      await ended
    },
    kill: () => child.kill('SIGKILL'),
  }
}
