import { expect } from 'bun:test'
import { runHere } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { engines } from '../support/engines.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import { type Service, until } from '../support/service.ts'
import { type Reply, replyOf, type World } from '../support/world.ts'

/** A company in a database that is about to suffer, and what its application does. */
export interface Application {
  readonly bid: string
  list(service: Service): Promise<Reply>
  create(service: Service, name: string): Promise<Reply>
  /** Renames the projects of a name. */
  change(service: Service, from: string, to: string): Promise<Reply>
  /** The names of all projects that there are. */
  names(service: Service): Promise<string[]>
}

export async function makeApplication(DATABASE_URL: string): Promise<Application> {
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runHere([...args, '--json'], { DATABASE_URL })
    if (stderr !== '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  await createTables(DATABASE_URL)
  await run('company', 'create', 'Acme')
  const bid: string = (await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')).id
  const made = await run('credential', 'create', '--company', 'Acme', '--name', 'Faults')
  const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
  const send = async ({ base }: Service, init: RequestInit, query = '') =>
    replyOf(await fetch(`${base}/rest/v1/project${query}`, { headers, ...init }))
  const list = (service: Service) => send(service, {})
  return {
    bid,
    list,
    create: (service, project_name) =>
      send(service, { method: 'POST', body: JSON.stringify({ bid_id: bid, project_name }) }),
    change: (service, from, project_name) =>
      send(service, { method: 'PATCH', body: JSON.stringify({ project_name }) }, `?project_name=eq.${from}`),
    names: async (service) => {
      const { status, json } = await list(service)
      expect(status).toBe(200)
      return json.map((row: { project_name: string }) => row.project_name)
    },
  }
}

export const live = async ({ base }: Service): Promise<number> => (await fetch(`${base}/health/live`)).status
export const ready = async ({ base }: Service): Promise<Reply> => replyOf(await fetch(`${base}/health/ready`))

/** A refusal that tells what it is, when to come back, and nothing of the inside. */
export function expectUnavailable({ status, json, headers }: Reply, ...codes: readonly string[]): void {
  expect([status, codes.includes(json.code) ? codes[0] : json.code]).toEqual([503, codes[0]])
  expect(Object.keys(json)).toEqual(['code', 'message', 'details', 'hint'])
  expect(json.hint).toBeString()
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
}

/** How long the service looks for what became of a write whose connection was lost. */
const searchMs = 5000

/** Whether the time for that was over since a moment of `performance.now()`. Where a machine stands still for as long, it is no fault. */
export const isSearchOver = ({ json }: Reply, since: number): boolean =>
  json?.code === 'outcome_unknown' && performance.now() - since >= searchMs

/** So often, what became of a write may not be found in time. */
export const searchesMax = 4

/** Waits for a service that recovers by itself. */
export async function untilReady(service: Service): Promise<void> {
  await until(async () => (await ready(service)).status === 200)
}

/** Opens a world on PostgreSQL with a proxy between the two; `url` is the way past it. */
export async function openBehindProxy(world: World): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
  const place = await engines[1]?.makePlace()
  if (!place) throw new Error('There is no PostgreSQL')
  const proxy = await startProxy(Number(new URL(place.url).port))
  await world.open({
    name: 'postgres',
    makePlace: async () => ({ url: proxy.url(place.url), remove: place.remove }),
  })
  return { proxy, url: place.url }
}
