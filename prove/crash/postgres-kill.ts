import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { startService } from '../../test/support/service.ts'
import { Missed, type Proof, requireNone } from '../proof.ts'
import { furnish } from '../stage.ts'
import { audit } from './ledger.ts'
import { startWriters } from './writers.ts'

const answersBetween = 500

export const postgresKill: Proof = {
  promise: 'Acknowledged writes survive a kill of PostgreSQL, and the service recovers by itself.',
  attack: 'kill -9 of all processes of PostgreSQL while 32 clients create, then a new start, again and again.',
  size: { unit: 'kills', short: 2, full: { postgres: 20 } },
  isOutside: true,
  run: async ({ size, env, ends }) => {
    const server = await startPostgres('on')
    ends.defer(() => server.stop())
    const stage = await furnish(server.url, env, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    const service = await startService(stage.env)
    const writers = startWriters(() => service.base, acme, 'Project')
    let slowestMs = 0
    let underWay = 0
    for (let kills = 0; kills < size; kills += 1) {
      await writers.untilAcknowledged(Math.ceil(answersBetween * (1 + Math.random())))
      await killAll(server)
      // The service may still find out that some of them were done, and say so.
      underWay += writers.underWay
      await startAgain(server)
      const readyAt = performance.now()
      await writers.untilAcknowledged(1)
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - readyAt))
    }
    await writers.untilAcknowledged(answersBetween)
    await writers.stop()
    await service.stop()
    await audit(stage.url, writers.sent, acme)
    requireNone(
      'statuses other than 503',
      [...writers.refused].filter(([status]) => status !== 503),
    )
    if (underWay < size) throw new Missed('Too few requests were under way at the kills')
    return {
      kills: size,
      'creates acknowledged': writers.acknowledged,
      'under way at a kill': underWay,
      'answers of 503 meanwhile': writers.refused.get(503) ?? 0,
      'other failures': 0,
      'slowest recovery': `${slowestMs} ms`,
      lost: 0,
      doubled: 0,
      'half done or orphaned': 0,
    }
  },
  controls: [
    {
      breaks: 'PostgreSQL commits without waiting for its log',
      notices: 'acknowledged rows lost',
      file: 'src/store/postgres/postgres-connection.ts',
      text: 'application_name: applicationName',
      instead: "application_name: applicationName, synchronous_commit: 'off'",
    },
  ],
}

/** First its parent is held, so that no new process comes up while the others are ended. */
export async function killAll(server: PostgresServer): Promise<void> {
  const { pid } = server
  if (pid === undefined) throw new Error('PostgreSQL does not run')
  process.kill(pid, 'SIGSTOP')
  const children = Bun.spawnSync(['ps', '-A', '-o', 'ppid=,pid=']).stdout.toString().trim().split('\n')
  for (const line of children) {
    const [parent, child] = line.trim().split(/\s+/).map(Number)
    if (parent === pid && child) process.kill(child, 'SIGKILL')
  }
  process.kill(pid, 'SIGKILL')
  await server.crash()
}

/** It refuses to start while the system still cleans up after the processes that were killed. */
export async function startAgain(server: PostgresServer): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await server.restart()
    } catch (error) {
      if (tries === 50) throw error
      await Bun.sleep(100)
    }
  }
}
