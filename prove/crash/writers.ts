import { codeOf } from '../client.ts'
import { Broken } from '../proof.ts'
import type { Caller } from '../stage.ts'
import type { Sent, Written } from './ledger.ts'

/** Clients that create without a pause, whatever becomes of the server, and remember every request and every answer. */
export interface Writers {
  readonly sent: ReadonlySet<Sent>
  readonly acknowledged: number
  /** Requests that were sent and are neither answered nor cut off. */
  readonly underWay: number
  /** Answers other than 201, by status. */
  readonly refused: ReadonlyMap<number, number>
  readonly lastRefusal: string
  /** Until this many more were acknowledged. */
  untilAcknowledged(more: number): Promise<void>
  stop(): Promise<void>
}

const clients = 32
/** After a connection that failed, before the next: the server may be gone for a while. */
const pauseMs = 10
/** A service that does not come back within this has not recovered. */
const answersWithinMs = 60_000

export function startWriters(base: () => string, { headers, bid }: Caller, run: string): Writers {
  const sent = new Set<Sent>()
  const refused = new Map<number, number>()
  let acknowledged = 0
  let underWay = 0
  let lastRefusal = ''
  let stopped = false

  async function create(resource: Sent['resource'], rows: readonly Written[]): Promise<string | null> {
    const one: Sent = { resource, rows, acknowledged: null }
    sent.add(one)
    underWay += 1
    try {
      const body = JSON.stringify(rows.map((row) => toBody(resource, row)))
      const answer = await fetch(`${base()}/rest/v1/${resource}`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.status === 201) {
        one.acknowledged = JSON.parse(text).map(({ id }: { id: string }) => id)
        acknowledged += 1
        return one.acknowledged?.[0] ?? null
      }
      refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1)
      lastRefusal = text
    } catch (error) {
      // Cut off: stored or not, both are right. One that never got a connection must not be stored.
      if (codeOf(error) === 'ECONNREFUSED') sent.delete(one)
    } finally {
      underWay -= 1
    }
    await Bun.sleep(pauseMs)
    return null
  }

  /** By turns one project, five at once, and a bid with a project in it. */
  async function write(client: number): Promise<void> {
    for (let turn = 0; !stopped; turn += 1) {
      const name = `${run} ${client} ${turn}`
      if (turn % 3 === 0) await create('project', [{ name, bid }])
      else if (turn % 3 === 1)
        await create(
          'project',
          five.map((at) => ({ name: `${name} ${at}`, bid })),
        )
      else {
        const own = await create('bid', [{ name: `${name} bid`, bid: '' }])
        if (own) await create('project', [{ name, bid: own }])
      }
    }
  }

  const all = Array.from({ length: clients }, (_, client) => write(client))
  return {
    sent,
    refused,
    get acknowledged() {
      return acknowledged
    },
    get underWay() {
      return underWay
    },
    get lastRefusal() {
      return lastRefusal
    },
    untilAcknowledged: async (more) => {
      const wanted = acknowledged + more
      let last = { acknowledged, at: Date.now() }
      while (acknowledged < wanted) {
        if (acknowledged > last.acknowledged) last = { acknowledged, at: Date.now() }
        if (Date.now() - last.at > answersWithinMs)
          throw new Broken(`No answers any more; the last refusal was: ${lastRefusal || 'none'}`)
        await Bun.sleep(1)
      }
    },
    stop: async () => {
      stopped = true
      await Promise.all(all)
    },
  }
}

const five = [1, 2, 3, 4, 5]

function toBody(resource: Sent['resource'], { name, bid }: Written): Record<string, string> {
  return resource === 'bid' ? { bid_name: name } : { project_name: name, bid_id: bid }
}
