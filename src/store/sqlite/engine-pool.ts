import { ownCommand } from '../../packaging.ts'
import { processWord } from '../../process-word.ts'
import { trySend } from '../../try-send.ts'
import type { Rows } from '../database.ts'
import type { EngineReply, EngineRequest } from './engine-message.ts'
import { EngineProblem, TooSlow } from './sqlite-problems.ts'

/** A pool of child processes that run long statements, so that these do not block the service. */
export interface EnginePool {
  /** A process for exclusive use until it is released. */
  acquire(): EngineProcess
  release(engine: EngineProcess): void
  /** Resolves when all processes have ended: they keep the file open until then. */
  close(): Promise<void>
}

export interface EngineProcess {
  /** Resolves when the process has opened the file, or failed to. The next `ask` tells which. */
  readonly started: Promise<void>
  /** One message at a time. A process that does not answer in time is killed. */
  ask(request: EngineRequest, timeoutMs?: number): Promise<readonly Rows[]>
  kill(): void
  /** Kills it, and resolves when it has ended. */
  end(): Promise<void>
  /** It is alive, and does not use too much memory. */
  isUsable(): boolean
}

export interface PoolSettings {
  readonly path: string
  readonly isWriter: boolean
  readonly timeoutMs: number
}

/** An idle process ends after this time. */
const idleMs = 5000

export function createEnginePool(settings: PoolSettings): EnginePool {
  const idle = new Map<EngineProcess, ReturnType<typeof setTimeout>>()
  const end = (engine: EngineProcess): Promise<void> => {
    clearTimeout(idle.get(engine))
    idle.delete(engine)
    return engine.end()
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
    acquire: () => {
      const engine = findIdle() ?? spawnEngine(settings)
      used.add(engine)
      return engine
    },
    release: (engine) => {
      used.delete(engine)
      if (engine.isUsable()) idle.set(engine, setTimeout(end, idleMs, engine).unref())
      else engine.kill()
    },
    close: async () => void (await Promise.all([...idle.keys(), ...used].map(end))),
  }
}

interface Pending {
  resolve(results: readonly Rows[]): void
  reject(error: Error): void
}

function spawnEngine({ path, isWriter, timeoutMs }: PoolSettings): EngineProcess {
  let pending: Pending | null = null
  let isSpent = false
  let isKilled = false
  const settle = (use: (settled: Pending) => void): void => {
    const settled = pending
    pending = null
    if (settled) use(settled)
  }
  const fail = (): void =>
    settle(({ reject }) => reject(new EngineProblem('interrupted', 'An engine process has ended')))
  const child = Bun.spawn([...ownCommand, processWord.engine], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Passed on as it is, but the allocator gives memory back at once: between two results, the process holds nothing.
    env: { ...process.env, MIMALLOC_PURGE_DELAY: '0' },
    serialization: 'advanced',
    ipc: (reply: EngineReply) => {
      if (reply.kind === 'done') isSpent = reply.isSpent
      settle(({ resolve, reject }) =>
        reply.kind === 'done' ? resolve(reply.results) : reject(new EngineProblem(reply.problem, reply.message)),
      )
    },
    onExit: fail,
  })
  child.unref()
  const isAlive = (): boolean => !isKilled && child.exitCode === null && child.signalCode === null
  const kill = (): void => {
    isKilled = true
    child.kill('SIGKILL')
  }

  const ask = (request: EngineRequest, msMax = timeoutMs): Promise<readonly Rows[]> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle((late) => late.reject(new TooSlow()))
        kill()
      }, msMax)
      pending = {
        resolve: (results) => {
          clearTimeout(timer)
          resolve(results)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      if (!isAlive() || !trySend(child, request)) fail()
    })
  // Opens the file before the first statement, because messages keep their order.
  const opened = ask({ kind: 'open', path, isWriter })
  const nothing = (): void => {}
  return {
    started: opened.then(nothing, kill),
    ask: (request, msMax) => opened.then(() => ask(request, msMax)),
    kill,
    end: async () => {
      kill()
      child.ref()
      await child.exited
    },
    isUsable: () => isAlive() && !isSpent,
  }
}
