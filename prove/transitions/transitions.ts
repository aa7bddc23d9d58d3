import { createField } from '../../src/fields/fields.ts'
import { startInstances } from '../crash/instances.ts'
import { countUnnumbered } from '../events/event-ledger.ts'
import type { Proof } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { type Caller, makeStage, withDatabase } from '../stage.ts'
import { auditChains, auditMoves, readLog } from './chains.ts'
import { race, writers } from './movers.ts'
import { transitions as allowed, initial, states } from './states.ts'

const rowsMax = 1000
/** So that all writers meet at each row. */
const writesPerRow = 64

export const transitions: Proof = {
  promise:
    'No row ever passes through a transition that is not allowed, and every acknowledged change is in the log, in a chain of allowed transitions.',
  attack: `${writers} writers over two instances give the same few rows random states at the same time, by PATCH, upsert and PUT of one and of several, and go on to the next until they were at ${rowsMax} rows. Each row is then followed through the log of events.`,
  size: { unit: 'writes', short: 1280, full: { sqlite: 64_000, postgres: 64_000 } },
  isOutside: true,
  run: async (attempt) => {
    const seed = chosenSeed()
    const stage = await makeStage(attempt, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    const field = {
      resource: 'project',
      name: 'status',
      type: 'choice',
      choices: states,
      initial,
      transitions: allowed,
    }
    await withDatabase(stage.url, (db) => createField(db, acme.companyId, field))
    const { bases } = await startInstances(stage.env, 2)
    const [base = ''] = bases
    const ids = await makeRows(base, acme, Math.min(rowsMax, Math.ceil(attempt.size / writesPerRow)))
    const moves = await race({ bases, caller: acme, ids, size: attempt.size, seed })
    while ((await countUnnumbered(stage.url)) > 0) await Bun.sleep(50)
    const log = await readLog(base, acme)
    const passed = auditChains(log, await readStates(base, acme, ids))
    const { done, refused } = auditMoves(log, moves)
    return {
      seed: String(seed),
      writers,
      instances: bases.length,
      rows: ids.length,
      'writes acknowledged': done,
      'writes refused': refused,
      'transitions in the log': passed,
      'transitions that are not allowed': 0,
      'acknowledged changes that are not in the log': 0,
    }
  },
  controls: [
    {
      breaks: 'a transition is not checked under the lock of its row',
      notices: 'transitions that are not allowed',
      file: 'src/store/compile/own-fields.ts',
      text: 'if (!isGuarded(column)) return changed',
      instead: 'if (place) return changed',
    },
    {
      breaks: 'a row is read for its event without a lock',
      notices: 'transitions that are not allowed',
      engines: ['postgres'],
      file: 'src/store/events/old-rows.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
      text: 'dialect.limit({ offset: 0, limit })}${dialect.forUpdate}`',
      instead: 'dialect.limit({ offset: 0, limit })}`',
    },
  ],
}

async function makeRows(base: string, { headers, bid }: Caller, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID()).sort()
  const body = JSON.stringify(ids.map((id) => ({ id, bid_id: bid, project_name: 'new' })))
  const answer = await fetch(`${base}/rest/v1/project`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(await answer.text())
  return ids
}

async function readStates(base: string, { headers }: Caller, ids: readonly string[]): Promise<Map<string, string>> {
  const answer = await fetch(`${base}/rest/v1/project?select=id,status&limit=${ids.length}`, { headers })
  if (!answer.ok) throw new Error(await answer.text())
  const rows = (await answer.json()) as { id: string; status: string }[]
  if (rows.length !== ids.length) throw new Error(`There are ${rows.length} rows in place of ${ids.length}`)
  return new Map(rows.map(({ id, status }) => [id, status]))
}
