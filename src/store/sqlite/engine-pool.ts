import { ownCommand } from '../../packaging.ts'
import { processWord } from '../../process-word.ts'
import type { Rows } from '../database.ts'
import type { Said, Told } from './engine-message.ts'
import { EngineProblem, TooSlow } from './sqlite-problems.ts'

/** Processes of the engine beside the service: what takes long there keeps nobody waiting here. */
export interface EnginePool {
  /** A process that nobody else uses until it is given back. */
  take(): EngineProcess
  give(engine: EngineProcess): void
  close(): void
}

export interface EngineProcess {
  /** Told one thing at a time. A process that has not answered in time is killed. */
  ask(told: Told): Promise<readonly Rows[]>
  kill(): void
  /** It lives, and has not grown too large. */
  isUsable(): boolean
}

export interface PoolSettings {
  readonly path: string
  readonly isWriter: boolean
  readonly timeoutMs: number
}

/** How long a process is kept that nobody needs. */
const idleMs = 5000

export function createEnginePool(settings: PoolSettings): EnginePool {
  const idle = new Map<EngineProcess, ReturnType<typeof setTimeout>>()
  const end = (engine: EngineProcess): void => {
    clearTimeout(idle.get(engine))
    idle.delete(engine)
    engine.kill()
  }
  const used = new Set<EngineProcess>()
  const findIdle = (): EngineProcess | null => {
    for (const engine of [...idle.keys()].reverse()) {
      clearTimeout(idle.get(engine))
      idle.delete(engine)
      if (engine.isUsable()) return engine
    }
    return null
  }
  return {
    take: () => {
      const engine = findIdle() ?? spawnEngine(settings)
      used.add(engine)
      return engine
    },
    give: (engine) => {
      used.delete(engine)
      if (engine.isUsable()) idle.set(engine, setTimeout(end, idleMs, engine).unref())
      else engine.kill()
    },
    close: () => {
      for (const engine of [...idle.keys(), ...used]) end(engine)
    },
  }
}

interface Question {
  resolve(results: readonly Rows[]): void
  reject(error: Error): void
}

function spawnEngine({ path, isWriter, timeoutMs }: PoolSettings): EngineProcess {
  let asked: Question | null = null
  let isSpent = false
  let isKilled = false
  const settle = (use: (question: Question) => void): void => {
    const question = asked
    asked = null
    if (question) use(question)
  }
  const child = Bun.spawn([...ownCommand, processWord.engine], {
    stdio: ['ignore', 'ignore', 'inherit'],
    serialization: 'advanced',
    ipc: (said: Said) => {
      if (said.kind === 'done') isSpent = said.isSpent
      settle(({ resolve, reject }) =>
        said.kind === 'done' ? resolve(said.results) : reject(new EngineProblem(said.problem, said.message)),
      )
    },
    onExit: () => settle(({ reject }) => reject(new EngineProblem('interrupted', 'An engine process has ended'))),
  })
  child.unref()
  const isAlive = (): boolean => !isKilled && child.exitCode === null && child.signalCode === null
  const kill = (): void => {
    isKilled = true
    child.kill('SIGKILL')
  }

  const ask = (told: Told): Promise<readonly Rows[]> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle((late) => late.reject(new TooSlow()))
        kill()
      }, timeoutMs)
      asked = {
        resolve: (results) => {
          clearTimeout(timer)
          resolve(results)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      if (!isAlive()) settle((late) => late.reject(new EngineProblem('interrupted', 'An engine process has ended')))
      else child.send(told)
    })
  // Answered before the first question is asked, because messages keep their order.
  const opened = ask({ kind: 'open', path, isWriter })
  opened.catch(() => {})
  return { ask: (told) => opened.then(() => ask(told)), kill, isUsable: () => isAlive() && !isSpent }
}
