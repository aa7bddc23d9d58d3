import { SQL } from 'bun'
import { createDeadline } from '../../traffic/deadline.ts'
import { answerMarginMs, applicationName, type postgresConnection } from './postgres-connection.ts'
import type { PoolName, Pools } from './postgres-pools.ts'
import { sqlState } from './postgres-problems.ts'
import { watchSilence } from './watch-silence.ts'

/** The server has stopped answering. The driver itself would wait for ever. */
export class NoAnswer extends Error {}

/** Makes statements fail, instead of wait for ever, when the server stops answering. */
export interface Liveness {
  /** Resolves to `read(found)`, or fails if the work is not done in time: that of one statement, or so many times as long. */
  inTime<Found, Result>(
    name: PoolName,
    work: Promise<Found>,
    read: (found: Found) => Result,
    times?: number,
  ): Promise<Result>
  /** For a statement within a transaction. The deadline is that of the whole transaction. */
  watched<Found>(work: Promise<Found>): Promise<Found>
  stop(): void
}

/** After this much silence, the server is probed. */
const patienceMs = 2000
/** On a busy server, our connections may be idle for as long, because they have not been given the processor to read what was sent. */
const idleMsMax = 2000
const probePauseMs = 500
const probeTimeoutS = 3

interface LivenessParts {
  readonly pools: Pools
  readonly options: ReturnType<typeof postgresConnection>
  readonly statementTimeoutMs: number
  /** Replaces all connections: statements are pipelined, so one that hangs blocks those behind it. */
  readonly replace: (timeoutS: number) => void
}

export function createLiveness({ pools, options, statementTimeoutMs, replace }: LivenessParts): Liveness {
  // The server's own limit does not help where the server has stopped answering.
  const limitMs = statementTimeoutMs + answerMarginMs
  const failLate = createDeadline(() => {
    // A statement on connections that were replaced already says nothing about the new ones.
    if (pools.ageMs() >= limitMs) replace(1)
    return new NoAnswer()
  })
  const silence = watchSilence(patienceMs, async () => {
    const idleUntil = performance.now() + idleMsMax
    while (silence.lasts()) {
      const found = await probe({ ...options, connectionTimeout: probeTimeoutS, max: 1 })
      if (found === 'working') return
      if (found === 'lost' || performance.now() > idleUntil) break
      await Bun.sleep(probePauseMs)
    }
    if (silence.lasts()) replace(0)
  })
  const running: Record<PoolName, number> = { shared: 0, reserved: 0, background: 0, unprepared: 0 }
  return {
    inTime: (name, work, read, times = 1) => {
      // A statement that is pipelined behind others gets their time in addition to its own.
      const ahead = Math.floor(running[name] / pools.sizes[name])
      running[name] += 1
      silence.began()
      return failLate(work, limitMs * (ahead + times), read, () => {
        running[name] -= 1
        silence.ended()
      })
    },
    watched: async (work) => {
      silence.began()
      try {
        return await work
      } finally {
        silence.ended()
      }
    },
    stop: silence.stop,
  }
}

/** Whether the server is running a statement of ours, has connections of ours that are idle, or cannot be reached or does not know us. */
async function probe(options: SQL.Options): Promise<'working' | 'idle' | 'lost'> {
  const client = new SQL(options)
  try {
    const states: { readonly state: string }[] = await client.unsafe(
      'select distinct state from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [applicationName],
    )
    if (states.some(({ state }) => state === 'active')) return 'working'
    return states.length > 0 ? 'idle' : 'lost'
  } catch (error) {
    return sqlState(error) === '' ? 'lost' : 'working'
  } finally {
    void client.close({ timeout: 0 }).catch(() => {})
  }
}
