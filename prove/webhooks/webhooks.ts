import { commandLine } from '../../src/people/audit.ts'
import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { createEndpoint } from '../../src/webhooks/endpoints.ts'
import { createSeal } from '../../src/webhooks/seal.ts'
import { startInstances } from '../crash/instances.ts'
import { startChangers } from '../events/changes.ts'
import { countUnnumbered, readStoredEvents } from '../events/event-ledger.ts'
import { type Proof, requireNone } from '../proof.ts'
import { makeStage, withDatabase } from '../stage.ts'
import { startReceiver } from './receiver.ts'

const key = 'the key of the proof, which is long enough'
const failingShare = 0.3
/** Acknowledged changes between two kills; fewer in a short run. */
const changesPerKillMax = 390

export const webhooks: Proof = {
  promise: 'Every event reaches its webhook at least once, signed, and in the order of each row.',
  attack:
    '32 clients create, update and delete, while the process that delivers is killed again and again, and the receiver refuses 30 % of what it is sent.',
  size: { unit: 'changes', short: 150, full: { sqlite: 20_000, postgres: 20_000 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeStage(attempt, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    let secret = ''
    const receiver = startReceiver(() => secret, failingShare)
    attempt.ends.defer(() => receiver.stop())
    const wanted = { companyId: acme.companyId, url: receiver.url, types: null, filter: 'project_name=not.is.null' }
    secret = await withDatabase(stage.url, async (db) => {
      const { shownSecret } = await createEndpoint(db, createSeal([key]), wanted, commandLine)
      return shownSecret
    })
    const instances = await startInstances({ ...stage.env, WEBHOOK_LOOPBACK: 'on', AUTH_SECRET: key }, 1)
    const hurry = startHurry(stage.url)
    const changers = startChangers(instances.bases, acme)
    const changesPerKill = Math.min(changesPerKillMax, Math.ceil(attempt.size / 3))
    let kills = 0
    for (let done = changesPerKill; done < attempt.size; done += changesPerKill) {
      await changers.untilAcknowledged(done)
      await instances.replace(0, 'SIGKILL')
      // Its only holder is gone.
      await endLeases(stage.url)
      kills += 1
    }
    await changers.untilAcknowledged(attempt.size)
    await changers.stop()
    while ((await countUnnumbered(stage.url)) > 0) await Bun.sleep(50)
    await untilDelivered(stage.url)
    await hurry.stop()
    const stored = await readStoredEvents(stage.url)
    requireNone(
      'events that were not delivered',
      stored.filter(({ id }) => !receiver.received.has(id)),
    )
    requireNone('events that came before an earlier one of their row', receiver.early)
    requireNone('messages with a wrong signature', receiver.forged)
    const twice = [...receiver.received.values()].filter((count) => count > 1).length
    return {
      'events delivered': stored.length,
      'kills of the process that delivers': kills,
      'events lost': 0,
      'events out of the order of their row': 0,
      'delivered more than once': `${((100 * twice) / stored.length).toFixed(2)} %`,
    }
  },
  controls: [
    {
      breaks: 'an attempt that was refused counts as received',
      notices: 'events that were not delivered',
      file: 'src/webhooks/attempt.ts',
      text: 'status !== null && status >= 200 && status < 300',
      instead: 'status !== null && status >= 200 && status < 600',
    },
    {
      breaks: 'an event does not wait for the earlier ones of its row',
      notices: 'events that came before an earlier one of their row',
      file: 'src/webhooks/dispatch/queue-events.ts',
      text: 'const isFirst = sequence < (firsts.get(rowId) ?? Number.POSITIVE_INFINITY)',
      instead: 'const isFirst = true',
    },
  ],
}

/** Makes failed deliveries due at once: the schedule would take days. */
function startHurry(url: string) {
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const now = timestampText(new Date())
      await withDatabase(url, (db) =>
        db.transact([
          sql`update ${tableOfAllCompanies('webhook_delivery')} set next_at = ${now}, attempts = 0 where next_at > ${now}`,
          sql`update ${tableOfAllCompanies('webhook_due')} set due_at = ${now} where due_at > ${now}`,
        ]),
      ).catch(() => {})
      await Bun.sleep(100)
    }
  }
  const running = run()
  return {
    stop: () => {
      isStopped = true
      return running
    },
  }
}

const endLeases = (url: string) =>
  withDatabase(url, (db) => db.transact([sql`update ${tableOfAllCompanies('webhook_due')} set leased_until = ${null}`]))

/** Until no event waits to become a delivery, and no delivery waits to be sent. */
async function untilDelivered(url: string): Promise<void> {
  for (;;) {
    const isDone = await withDatabase(url, async (db) => {
      const [behind] = await db.read(sql`
        select 1 from ${tableOfAllCompanies('webhook_endpoint')} w join ${tableOfAllCompanies('event_counter')} c
        on c.company_id = w.company_id where c.last_sequence > w.queued_sequence`)
      const [pending] = await db.read(
        sql`select 1 from ${tableOfAllCompanies('webhook_delivery')} where state = 'pending' limit 1`,
      )
      return !behind && !pending
    })
    if (isDone) return
    await Bun.sleep(200)
  }
}
