import { commandLine } from '../../src/people/audit.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import type { Choice } from '../../src/webhooks/choose-events.ts'
import { createDispatcher, type Dispatcher, type DispatcherParts } from '../../src/webhooks/dispatch/dispatcher.ts'
import { createEndpoint } from '../../src/webhooks/endpoints.ts'
import { createSeal } from '../../src/webhooks/seal.ts'
import { createSend } from '../../src/webhooks/send/send.ts'
import type { World } from '../support/world.ts'

export const seal = createSeal(['the key of the tests'])

/** What a receiver was sent. */
export interface Received {
  readonly headers: Record<string, string>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  readonly json: any
}

type Answer = (received: Received, count: number) => Response | Promise<Response>

/** A server that webhooks are sent to. */
export class Receiver {
  readonly received: Received[] = []
  answer: Answer = () => new Response('ok')
  private readonly server = Bun.serve({
    // A test may hold an answer for long on a busy machine.
    ...{ hostname: '127.0.0.1', port: 0, idleTimeout: 255 },
    fetch: async (http) => {
      const text = await http.text()
      const received = { headers: Object.fromEntries(http.headers), text, json: JSON.parse(text) }
      this.received.push(received)
      return this.answer(received, this.received.length)
    },
  })

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/hook`
  }

  /** The names of the projects that it was told of. */
  get names(): string[] {
    return this.received.map(({ json }) => json.data.row?.project_name)
  }

  stop(): Promise<void> {
    return this.server.stop(true)
  }
}

/** Waits until something holds, for nearly as long as a test may take. */
export async function until(holds: () => boolean | Promise<boolean>, msMax = 290_000): Promise<void> {
  const ends = performance.now() + msMax
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error(`Not within ${msMax} ms: ${holds}`)
    await Bun.sleep(20)
  }
}

/** A running dispatcher that sends to this machine, and hears of new events. */
export function dispatch({ db, feed }: Pick<World, 'db' | 'feed'>, more: Partial<DispatcherParts> = {}): Dispatcher {
  const failed = (error: unknown): void => {
    throw error
  }
  // An attempt that ended while a test holds its answer would be made again.
  const send = createSend({ loopback: true, timeoutMs: 300_000 })
  const dispatcher = createDispatcher({ db, seal: () => seal, send, disable: async () => {}, failed, ...more })
  feed.subscribeAll(dispatcher.wake)
  dispatcher.start()
  return dispatcher
}

export const endpointTo = (db: Database, companyId: string, url: string, choice: Partial<Choice> = {}) =>
  createEndpoint(db, seal, { companyId, url, types: null, filter: '', ...choice }, commandLine)

/** How many deliveries of a company are in each state. */
export async function statesOf(db: Database, companyId: string): Promise<Record<string, number>> {
  const own = db.forCompany(companyId)
  const rows = await own.read(
    sql`select state, count(*) from ${companyRows('webhook_delivery', own)} group by state order by state`,
  )
  return Object.fromEntries(rows.map(([state, count]) => [String(state), Number(count)]))
}
