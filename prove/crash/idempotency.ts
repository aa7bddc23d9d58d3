import { sql } from '../../src/store/sql.ts'
import { type Answered, sendUntilAnswered } from '../client.ts'
import { type Proof, requireNone } from '../proof.ts'
import { type Caller, makeStage, withDatabase } from '../stage.ts'
import { startInstances } from './instances.ts'

/** How often each request is sent, all at once. */
const copies = 10
/** Keys that are under way at one time. */
const keysAtOnce = 6
const keysBetweenKills = 100

export const idempotency: Proof = {
  promise:
    'A request with an Idempotency-Key takes effect once, however often it is sent, and is always answered alike.',
  attack: `Each key is sent ${copies} times at once over two instances, and again until it is answered, while they are killed by turns.`,
  size: { unit: 'keys', short: 150, full: { sqlite: 10_000, postgres: 10_000 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeStage(attempt, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    const { bases, replace } = await startInstances(stage.env, 2)
    const tally = { keys: 0, again: 0, kills: 0 }

    const sendAll = async (): Promise<void> => {
      while (tally.keys < attempt.size) {
        const asked = createRequest(acme, tally.keys++)
        const copiesOf = Array.from({ length: copies }, (_, copy) => sendUntilAnswered(bases, copy, asked))
        const answers = await Promise.all(copiesOf)
        requireSame(answers)
        tally.again += answers.reduce((sum, { failures }) => sum + failures.length, 0)
      }
    }
    const killSome = async (): Promise<void> => {
      for (; tally.keys < attempt.size; await Bun.sleep(5)) {
        if (tally.keys < (tally.kills + 1) * keysBetweenKills) continue
        await replace(tally.kills % bases.length, 'SIGKILL')
        tally.kills += 1
      }
    }
    await Promise.all([killSome(), ...Array.from({ length: keysAtOnce }, sendAll)])
    await requireOneRowEach(stage.url, attempt.size)
    return {
      keys: attempt.size,
      'requests answered': attempt.size * copies,
      'sent again': tally.again,
      kills: tally.kills,
      'rows missing or doubled': 0,
      'answers that differ': 0,
    }
  },
  controls: [
    {
      breaks: 'a key that is taken is not respected',
      notices: 'answers that differ',
      file: 'src/store/execute-once.ts',
      text: 'if (claimed.at(-1)?.length === 0) return',
      instead: '',
    },
  ],
}

function createRequest({ headers, bid }: Caller, number: number) {
  return {
    method: 'POST',
    path: '/project',
    headers: { ...headers, 'Idempotency-Key': `key-${number}` },
    body: JSON.stringify({ bid_id: bid, project_name: `Project ${number}` }),
  }
}

function requireSame(answers: readonly Answered[]): void {
  requireNone(
    'answers other than 201',
    answers.flatMap(({ status, bytes }) => (status === 201 ? [] : [bytes])),
  )
  requireNone('answers that differ', [...new Set(answers.map(({ bytes }) => bytes))].slice(1))
}

async function requireOneRowEach(url: string, keys: number): Promise<void> {
  const rows = await withDatabase(url, async (db) =>
    db.read(sql`select project_name, count(*) from project group by project_name`),
  )
  const counts = new Map(rows.map(([name, count]) => [name, Number(count)]))
  const names = Array.from({ length: keys }, (_, number) => `Project ${number}`)
  requireNone(
    'rows missing or doubled',
    names.filter((name) => counts.get(name) !== 1),
  )
  requireNone('rows that nobody sent', [...counts.keys()].slice(keys))
}
