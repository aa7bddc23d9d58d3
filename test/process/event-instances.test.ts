import { afterAll, beforeAll, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { endAll, type Service, startService, until } from '../support/service.ts'
import { World } from '../support/world.ts'

const engine = engines.find(({ name }) => name === 'postgres')
if (!engine) throw new Error('There is no PostgreSQL')

const world = new World({})
const services: Service[] = []

beforeAll(async () => {
  await world.open(engine)
  for (const _ of ['one', 'another'])
    services.push(await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', LOG: 'off' }))
}, 120_000)

afterAll(async () => {
  await world.close()
  await endAll()
})

const send = (at: number, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${services[at]?.base}/rest/v1${path}`, {
    method,
    headers: { ...world.acme.headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('a change by one instance arrives in a live stream of another', async () => {
  const abort = new AbortController()
  const headers = { ...world.acme.headers, Accept: 'text/event-stream' }
  const stream = await fetch(`${services[1]?.base}/rest/v1/bid?bid_name=eq.far`, { headers, signal: abort.signal })
  let text = ''
  const reading = (async () => {
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
  })().catch(() => {})
  await until(() => text.includes('id: '))
  await send(0, 'POST', '/bid', { bid_name: 'far' })
  await until(() => text.includes('event: bid.created'))
  abort.abort()
  await reading
}, 300_000)

test('events of an instance that was killed are numbered by another', async () => {
  const create = async (bid_name: string): Promise<string> => {
    const { id } = (await (await send(0, 'POST', '/bid', { bid_name })).json()) as { id: string }
    return id
  }
  const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => create(`left ${at}`)))
  services[0]?.kill('SIGKILL')
  const found = async () =>
    (await (await send(1, 'GET', `/event?row_id=in.(${ids})&select=row_id`)).json()) as { row_id: string }[]
  await until(async () => (await found()).length === ids.length)
  expect(new Set((await found()).map(({ row_id }) => row_id))).toEqual(new Set(ids))
}, 300_000)
