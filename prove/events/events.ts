import { startPostgres } from '../../test/support/postgres.ts'
import { startInstances } from '../crash/instances.ts'
import { killAll, startAgain } from '../crash/postgres-kill.ts'
import { type Attempt, type Proof, requireNone } from '../proof.ts'
import { furnish, makeStage, type Stage } from '../stage.ts'
import { startChangers } from './changes.ts'
import { auditEvents, countUnnumbered, readStoredEvents } from './event-ledger.ts'
import { startSequenceReader } from './sequence-reader.ts'

/** Acknowledged changes between two kills of the service, and between two kills of PostgreSQL. */
const [changesPerKill, changesPerServerKill] = [1000, 20_000]

interface EventStage extends Stage {
  /** Kills PostgreSQL and starts it again; null where the engine is in the service. */
  readonly killServer: (() => Promise<void>) | null
}

export const events: Proof = {
  promise:
    'Every change has exactly one event, every event its change, and a reader that goes on after a number misses none.',
  attack:
    '32 clients create, update and delete, while the instances, and PostgreSQL, are killed. On each instance an application reads what comes after the last number it has seen.',
  size: { unit: 'changes', short: 600, full: { sqlite: 100_000, postgres: 100_000 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeEventStage(attempt)
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    const instances = await startInstances(stage.env, attempt.engine.name === 'sqlite' ? 1 : 2)
    const readers = instances.bases.map((base) => startSequenceReader(base, acme))
    const changers = startChangers(instances.bases, acme)
    let [kills, serverKills] = [0, 0]
    for (let done = changesPerKill; done < attempt.size; done += changesPerKill) {
      await changers.untilAcknowledged(done)
      if (stage.killServer && done % changesPerServerKill === 0) {
        await stage.killServer()
        serverKills += 1
      }
      await instances.replace(kills % instances.bases.length, 'SIGKILL')
      kills += 1
    }
    await changers.untilAcknowledged(attempt.size)
    await changers.stop()
    while ((await countUnnumbered(stage.url)) > 0) await Bun.sleep(50)
    const stored = await readStoredEvents(stage.url)
    const last = stored.at(-1)?.sequence ?? 0
    await Promise.all(readers.map((reader) => reader.finish(last)))
    requireNone(
      'events missed by a reader',
      readers.flatMap(({ seen }) => stored.filter(({ id }) => !seen.has(id))),
    )
    await auditEvents(stage.url, stored, changers.acknowledged)
    return {
      'changes acknowledged': changers.acknowledged.length,
      events: stored.length,
      'kills of an instance': kills,
      'kills of PostgreSQL': serverKills,
      'changes without an event, or with two': 0,
      'events without a change': 0,
      'events missed by a reader': 0,
    }
  },
  controls: [
    {
      breaks: 'the event is written outside the transaction of its change',
      notices: 'changes without an event',
      engines: ['sqlite'],
      size: 3000,
      file: 'src/store/execute-write.ts',
      text: 'if (choose === null && steps === null) return db.transact(statements, check, right)',
      instead: `if (choose === null && steps === null)
    return db.transact(statements.slice(0, 1), check, right).then(async (found) => {
      await Bun.sleep(5)
      if (statements.length > 1) await db.transact(statements.slice(1), undefined, right)
      return found
    })`,
    },
    {
      breaks: 'the event is written outside the transaction of its change',
      notices: 'changes without an event',
      engines: ['postgres'],
      size: 3000,
      file: 'src/store/postgres/postgres.ts',
      text: 'for (let step = work.next(); !step.done; step = work.next(await runAll(own, step.value)))',
      instead: `const apart = async (statements: readonly Sql[]) => {
          const results: Rows[] = []
          for (const statement of statements) {
            results.push(...(await runAll(own, [statement])))
            await own.unsafe('commit')
            await Bun.sleep(20)
            await own.unsafe('begin')
          }
          return results
        }
        for (let step = work.next(); !step.done; step = work.next(await apart(step.value)))`,
    },
    {
      breaks: 'the number of an event is taken when it is written, and not after its commit',
      notices: 'events missed by a reader',
      engines: ['postgres'],
      size: 2000,
      file: 'src/store/postgres/number-together.ts',
      text: 'last_sequence - count(*) over own + row_number() over (own order by t.created_at, t.id)',
      instead: `(extract(epoch from t.created_at) * 1000000)::bigint
      + row_number() over (own order by t.created_at, t.id)`,
    },
  ],
}

async function makeEventStage(attempt: Attempt): Promise<EventStage> {
  // A server of its own is needed only where it is killed.
  if (attempt.engine.name === 'sqlite' || attempt.size < changesPerServerKill)
    return { ...(await makeStage(attempt, ['Acme'])), killServer: null }
  const server = await startPostgres('on')
  attempt.ends.defer(() => server.stop())
  const killServer = async (): Promise<void> => {
    await killAll(server)
    await startAgain(server)
  }
  return { ...(await furnish(server.url, attempt.env, ['Acme'])), killServer }
}
