import { SQL } from 'bun'
import { createDeadline } from '../../traffic/deadline.ts'
import { answerMarginMs, applicationName, type postgresConnection } from './postgres-connection.ts'
import type { PoolName, Pools } from './postgres-pools.ts'
import { sqlState } from './postgres-problems.ts'
import { watchSilence } from './watch-silence.ts'

/** A server that answers nothing any more. The driver would wait for it for ever. */
export class NoAnswer extends Error {}

/** Sees to it that whoever asks is answered, or told that there is no answer. */
export interface Liveness {
  /** `read` of what was found, or a failure where nothing is in time. */
  inTime<Found, Result>(name: PoolName, work: Promise<Found>, read: (found: Found) => Result): Promise<Result>
  /** A statement within a transaction, whose time is that of the whole. */
  watched<Found>(work: Promise<Found>): Promise<Found>
  stop(): void
}

/** When to ask a server that has answered nothing for so long whether it is still there. */
const patienceMs = 2000
const probeTimeoutS = 3

interface LivenessParts {
  readonly pools: Pools
  readonly options: ReturnType<typeof postgresConnection>
  readonly statementTimeoutMs: number
  /** Gives up all connections: statements wait behind one that nothing comes from. */
  readonly replace: (timeoutS: number) => void
}

export function createLiveness({ pools, options, statementTimeoutMs, replace }: LivenessParts): Liveness {
  // The server's own limit does not help where the server has stopped answering.
  const limitMs = statementTimeoutMs + answerMarginMs
  const failLate = createDeadline(() => {
    // What was asked of connections that are given up already says nothing about the new ones.
    if (pools.ageMs() >= limitMs) replace(1)
    return new NoAnswer()
  })
  const silence = watchSilence(patienceMs, async () => {
    const isAtWork = await askWhetherAtWork({ ...options, connectionTimeout: probeTimeoutS, max: 1 })
    if (!isAtWork && silence.lasts()) replace(0)
  })
  const underWay: Record<PoolName, number> = { everyones: 0, kept: 0, rare: 0 }
  return {
    inTime: (name, work, read) => {
      // What is lined up on a connection behind others has the time of those, too.
      const linedUp = Math.floor(underWay[name] / pools.sizes[name])
      underWay[name] += 1
      silence.began()
      return failLate(work, limitMs * (linedUp + 1), read, () => {
        underWay[name] -= 1
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

/** Whether a server can be reached and does anything for us, so that an answer is to be expected. */
async function askWhetherAtWork(options: SQL.Options): Promise<boolean> {
  const client = new SQL(options)
  try {
    const busy = await client.unsafe(
      'select 1 from pg_stat_activity where application_name = $1 and state = $2 and pid <> pg_backend_pid() limit 1',
      [applicationName, 'active'],
    )
    return busy.length > 0
  } catch (error) {
    return sqlState(error) !== ''
  } finally {
    void client.close({ timeout: 0 }).catch(() => {})
  }
}
