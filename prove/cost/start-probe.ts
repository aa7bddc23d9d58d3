import { join } from 'node:path'
import type { Caller } from '../stage.ts'
import { lockedMs, type Patience } from './limits.ts'
import type { AllWaits, ProbeMessage, Told, Waits } from './probe.ts'

/** Another company, in a process and on a connection of its own. */
export interface Probe {
  /** Lists and creates there from now on. */
  ask(base: string): void
  /** Starts a span of time. */
  begin(): void
  /** Ends it, after what is under way; null where lists are not answered in time, or creates are never. */
  end(withinMs: number): Promise<AllWaits | null>
  /** How long both take while nothing else is asked for. */
  quiet(ms: number): Promise<AllWaits>
  stop(): Promise<void>
}

type Tell = Readonly<Record<keyof AllWaits, (waits: Waits) => void>>

export function startProbe({ headers, bid }: Caller, quietPatience: Patience): Probe {
  let tell: Tell = { list: () => {}, create: () => {} }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'probe.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: ({ list, create }: Told) => {
      if (list) tell.list(list)
      if (create) tell.create(create)
    },
  })
  const send = (message: ProbeMessage): void => void child.send(message)
  const begin = (): void => send({ kind: 'begin' })
  const end = async (patience: Patience): Promise<AllWaits | null> => {
    const told = { list: Promise.withResolvers<Waits>(), create: Promise.withResolvers<Waits>() }
    tell = { list: told.list.resolve, create: told.create.resolve }
    send({ kind: 'end' })
    const list = await within(patience.list, told.list.promise)
    // Where lists are answered, a create only waits for the writes of others.
    const create = list && (await within(patience.create, told.create.promise))
    return list && create && { list, create }
  }
  return {
    ask: (base) => {
      const url = `${base}/rest/v1/project`
      const body = JSON.stringify({ bid_id: bid, project_name: 'Another' })
      const list = { url: `${url}?limit=20`, init: { method: 'GET', headers } }
      const create = { url, init: { method: 'POST', headers: { ...headers, Prefer: 'return=minimal' }, body } }
      send({ kind: 'ask', list, create })
    },
    begin,
    end: (withinMs) => end({ list: withinMs, create: lockedMs }),
    quiet: async (ms) => {
      begin()
      await Bun.sleep(ms)
      const waits = await end(quietPatience)
      if (!waits) throw new Error('The service does not answer, though nothing is asked of it')
      return waits
    },
    stop: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function within<Result>(ms: number, result: Promise<Result>): Promise<Result | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), ms)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
