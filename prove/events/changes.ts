import type { Caller } from '../stage.ts'

/** Something that a client did to a row of its own. Names are never used twice. */
export interface Change {
  readonly type: 'project.created' | 'project.updated' | 'project.deleted'
  readonly id: string
  /** The name after the change; of a delete, the one before it. */
  readonly name: string
}

/** Clients that create, update and delete without a pause, and remember what was acknowledged. */
export interface Changers {
  readonly acknowledged: readonly Change[]
  untilAcknowledged(count: number): Promise<void>
  stop(): Promise<void>
}

const clients = 32
const pauseMs = 10

/** `bases`: each client uses one instance, and the next one when that does not answer. */
export function startChangers(bases: readonly string[], { headers, bid }: Caller): Changers {
  const acknowledged: Change[] = []
  let isStopped = false

  /** Whether it was acknowledged. What was cut off may be done or not: its row is left alone from then on. */
  async function send(client: number, method: string, query: string, body: unknown, done: Change): Promise<boolean> {
    const base = bases[client % bases.length] ?? ''
    try {
      const sent = body === null ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${base}/rest/v1/project${query}`, { method, headers, ...sent })
      await answer.text()
      if (answer.ok) {
        acknowledged.push(done)
        return true
      }
    } catch {}
    await Bun.sleep(pauseMs)
    return false
  }

  async function change(client: number): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const id = crypto.randomUUID()
      const [first, second] = [`${client} ${turn} new`, `${client} ${turn} changed`]
      const row = { id, bid_id: bid, project_name: first }
      if (
        !(await send(client, 'POST', '', turn % 4 === 0 ? [row, other(row)] : row, {
          type: 'project.created',
          id,
          name: first,
        }))
      )
        continue
      const path = `?id=eq.${id}`
      const update = { type: 'project.updated', id, name: second } as const
      if (!(await send(client, 'PATCH', path, { project_name: second }, update)) || turn % 2 === 0) continue
      await send(client, 'DELETE', path, null, { type: 'project.deleted', id, name: second })
    }
  }

  const all = Array.from({ length: clients }, (_, client) => change(client))
  return {
    acknowledged,
    untilAcknowledged: async (count) => {
      while (acknowledged.length < count) await Bun.sleep(2)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(all)
    },
  }
}

/** A second row of the same request. */
const other = (row: { readonly bid_id: string; readonly project_name: string }) => ({
  ...row,
  id: crypto.randomUUID(),
  project_name: `${row.project_name} too`,
})
