import { expect, test } from 'bun:test'
import { commandLine } from '../../src/people/audit.ts'
import { companyRows, insertIntoCompany } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore } from '../../src/store/database.ts'
import { join, sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { record } from '../../src/webhooks/dispatch/record.ts'
import { takeDue } from '../../src/webhooks/dispatch/take.ts'
import { disableEndpoint, enableEndpoint, findEndpoint } from '../../src/webhooks/endpoints.ts'
import { onEachEngine } from '../support/engines.ts'
import { growthOf } from '../support/growth.ts'
import { companyWithLargeEvents } from '../support/large-events.ts'
import { withTransact } from '../support/with-transact.ts'
import { endpointTo } from './support.ts'

const columns = ['endpoint_id', 'event_id', 'sequence', 'type', 'row_id', 'state', 'attempts', 'next_at', 'created_at']

interface Pending {
  readonly endpointId: string
  readonly count: number
  readonly rowOf: (sequence: number) => string
  readonly nextAt: (sequence: number) => Date | null
}

async function addPending(own: CompanyStore, { endpointId, count, rowOf, nextAt }: Pending): Promise<void> {
  const sequences = Array.from({ length: count }, (_, at) => at + 1)
  for (let from = 0; from < count; from += 500) {
    const rows = sequences.slice(from, from + 500).map((sequence) => {
      const at = nextAt(sequence)
      return sql`(${own.companyId}, ${endpointId}, ${Bun.randomUUIDv7()}, ${sequence}, 'bid.updated', ${rowOf(sequence)},
        'pending', 0, ${at && timestampText(at)}, ${timestampText(new Date(0))})`
    })
    await own.transact([sql`${insertIntoCompany('webhook_delivery', columns)} values ${join(rows, ', ')}`])
  }
}

onEachEngine('many deliveries', (world) => {
  const endpointOf = async ({ companyId }: CompanyStore) => {
    const { id } = await endpointTo(world.db, companyId, 'https://example.com/')
    return findEndpoint(world.db, { companyId, id })
  }
  const newRow = (): string => Bun.randomUUIDv7()

  test('are taken as many as have a megabyte', async () => {
    const own = await companyWithLargeEvents(world.db, 30)
    const { id: endpointId } = await endpointOf(own)
    await addPending(own, { endpointId, count: 30, rowOf: newRow, nextAt: () => new Date(0) })
    const due = await takeDue(own, endpointId, 100)
    expect(due.map(({ body }) => body !== null && body.length > 100_000)).toEqual(Array(10).fill(true))
    // Events that are no longer kept have no size.
    const other = await endpointOf(own)
    await addPending(own, { endpointId: other.id, count: 130, rowOf: newRow, nextAt: (at) => new Date(-at) })
    expect(await takeDue(own, other.id, 100)).toHaveLength(100)
  })

  test('of one row take no longer to record the more of them wait', async () => {
    const own = world.db.forRows(world.acme.id)
    const endpoints = new Map<number, Awaited<ReturnType<typeof endpointOf>>>()
    for (const count of [500, 80_000]) {
      const endpoint = await endpointOf(own)
      const row = newRow()
      const nextAt = (sequence: number) => (sequence === 1 ? new Date(0) : null)
      await addPending(own, { endpointId: endpoint.id, count, rowOf: () => row, nextAt })
      endpoints.set(count, endpoint)
    }
    const growth = await growthOf(1, async (size) => {
      const endpoint = endpoints.get(size === 1 ? 500 : 80_000)
      if (!endpoint) throw new Error('There are two')
      const due = await takeDue(own, endpoint.id, 100)
      expect(due).toHaveLength(1)
      const attempt = { at: new Date(), durationMs: 1, status: 200, error: null, answer: '', retryAfter: null }
      const tried = due.map((delivery) => ({
        delivery,
        attempt: { id: Bun.randomUUIDv7(), eventId: delivery.eventId, ...attempt },
      }))
      await record(own, { endpoint, tried, isFailingNews: false })
    })
    // With 160 times as many that wait, about 16 where all of them are gone through.
    expect(growth).toBeLessThan(8)
  })

  test('are due in parts when their endpoint is enabled again', async () => {
    const own = world.db.forRows(world.acme.id)
    const { companyId, id } = await endpointOf(own)
    await disableEndpoint(world.db, { companyId, id }, 'by_hand', commandLine)
    const soon = new Date(Date.now() + 3_600_000)
    await addPending(own, { endpointId: id, count: 1200, rowOf: newRow, nextAt: (at) => (at > 1100 ? null : soon) })
    const dueNow = async (): Promise<number> => {
      const [[count] = []] = await own.read(sql`
        select count(*) from ${companyRows('webhook_delivery', own)} and endpoint_id = ${id}
          and next_at <= ${timestampText(new Date())}`)
      return Number(count)
    }
    const due: number[] = []
    const watched = withTransact(world.db, (transact) => async (...given) => {
      const results = await transact(...given)
      due.push(await dueNow())
      return results
    })
    await enableEndpoint(watched, { companyId, id }, commandLine)
    expect(due).toEqual([500, 1000, 1100, 1100])
    expect((await findEndpoint(world.db, { companyId, id })).disabledAt).toBeNull()
  })
})
