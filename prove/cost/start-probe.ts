import { join } from 'node:path'
import type { Caller } from '../stage.ts'
import type { ProbeMessage, Waits } from './probe.ts'

/** Another company, in a process and on a connection of its own. */
export interface Probe {
  /** Lists from this service from now on. */
  ask(base: string): void
  /** Starts a span of time. */
  begin(): void
  /** Ends it, after the list that is under way; null where that is not answered in time. */
  end(withinMs: number): Promise<Waits | null>
  /** How long lists take while nothing else is asked for. */
  quiet(ms: number): Promise<Waits>
  stop(): Promise<void>
}

export function startProbe({ headers }: Caller): Probe {
  let tell: (waits: Waits) => void = () => {}
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'probe.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (waits: Waits) => tell(waits),
  })
  const send = (message: ProbeMessage): void => void child.send(message)
  const begin = (): void => send({ kind: 'begin' })
  const end = async (withinMs: number): Promise<Waits | null> => {
    const told = Promise.withResolvers<Waits | null>()
    tell = told.resolve
    const timer = setTimeout(() => told.resolve(null), withinMs)
    send({ kind: 'end' })
    const waits = await told.promise
    clearTimeout(timer)
    return waits
  }
  return {
    ask: (base) => send({ kind: 'ask', url: `${base}/rest/v1/project?limit=20`, headers }),
    begin,
    end,
    quiet: async (ms) => {
      begin()
      await Bun.sleep(ms)
      const waits = await end(quietWithinMs)
      if (!waits) throw new Error('The service does not answer, though nothing is asked of it')
      return waits
    },
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

const quietWithinMs = 30_000
