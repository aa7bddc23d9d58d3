import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import { ownCommand } from '../packaging.ts'
import { processWord } from '../process-word.ts'
import { findPort } from '../server.ts'
import { type MetricsJson, mergeMetrics } from '../telemetry/create-telemetry.ts'
import { atMost } from '../traffic/at-most.ts'
import { CommandError } from './command.ts'
import { closeMsMax, orSay, type Served } from './instance.ts'
import { createQuestion } from './question.ts'

/** What a worker tells its supervisor: where it serves, or why it cannot, or what it has measured. */
export type Said = { readonly base: string } | { readonly failed: string } | { readonly metrics: MetricsJson }
/** To serve by these settings, as this one of several. */
export interface Task {
  readonly serve: Config
  readonly worker: number
}
/** What it is told. */
export type Told = Task | 'stop' | 'metrics'

/** One that ends sooner than this would likely do so again: the next ones wait, each twice as long. */
const soonMs = 5000
const waitMs = { first: 100, most: 10_000 }
/** A worker that is busy for longer is left out. */
const metricsMsMax = 2000

/** As many processes on one port as the settings ask for. One that dies is replaced. */
export async function startWorkers(config: Config, log: Log): Promise<Served> {
  const settings = shareOf(config)
  const running = new Set<Worker>()
  const stopping = Promise.withResolvers<void>()
  let isStopping = false

  const start = (at: number): Worker => {
    const worker = spawnWorker({ serve: settings, worker: at + 1 })
    running.add(worker)
    worker.ended.then(() => running.delete(worker))
    return worker
  }
  const kill = () => {
    for (const { kill } of running) kill()
  }
  // A second signal ends this process at once, and the others with it.
  process.once('exit', kill)

  const keep = async (first: Worker, at: number): Promise<void> => {
    let fails = 0
    for (let worker = first; ; worker = start(at)) {
      const startedAt = performance.now()
      const how = await worker.ended
      if (isStopping) return
      fails = performance.now() - startedAt < soonMs ? fails + 1 : 0
      const pause = fails === 0 ? 0 : Math.min(waitMs.first * 2 ** (fails - 1), waitMs.most)
      log.error('worker', { cause: `Worker ${worker.pid} ended with ${how}. Another one starts in ${pause} ms.` })
      await Promise.race([Bun.sleep(pause), stopping.promise])
      if (isStopping) return
    }
  }

  const workers = Array.from({ length: config.workers }, (_, at) => start(at))
  const [base = ''] = await Promise.all(workers.map(({ ready }) => ready)).catch((error) => {
    kill()
    throw error
  })
  for (const [at, worker] of workers.entries()) void keep(worker, at)
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

/** The connections are for all of them together; the port is the same for each. */
function shareOf(config: Config): Config {
  const connectionsMax = Math.max(1, Math.floor(config.connectionsMax / config.workers))
  return { ...config, port: orSay(config, () => findPort(config)), connectionsMax }
}

interface Worker {
  readonly pid: number
  /** Where it serves, once it does. */
  readonly ready: Promise<string>
  /** In words. */
  readonly ended: Promise<string>
  /** What it has measured; nothing if it does not answer. */
  metrics(): Promise<MetricsJson>
  stop(): Promise<void>
  kill(): void
}

function spawnWorker(task: Task): Worker {
  // It has the time for requests, then that for what it counted, traces and the database.
  const stopMsMax = task.serve.stopTimeoutS * 1000 + 4 * closeMsMax
  const ready = Promise.withResolvers<string>()
  const measured = createQuestion<MetricsJson>(metricsMsMax, [])
  const child = Bun.spawn([...ownCommand, processWord.worker], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (said: Said) => {
      if ('metrics' in said) measured.answer(said.metrics)
      else if ('base' in said) ready.resolve(said.base)
      else ready.reject(new CommandError(said.failed))
    },
  })
  const tell = (told: Told) => child.send(told)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  tell(task)
  const ended = child.exited.then(() => (child.signalCode ? String(child.signalCode) : `exit code ${child.exitCode}`))
  ended.then((how) => ready.reject(new CommandError(`A worker ended with ${how} before it was ready.`)))
  // Of those that come later, nobody asks whether they are ready.
  ready.promise.catch(() => {})
  return {
    pid: child.pid,
    ready: ready.promise,
    ended,
    metrics: async () => (isRunning() ? measured.ask(() => tell('metrics')) : []),
    stop: async () => {
      if (isRunning()) tell('stop')
      if (!(await atMost(ended, stopMsMax))) child.kill('SIGKILL')
      await ended
    },
    kill: () => child.kill('SIGKILL'),
  }
}
