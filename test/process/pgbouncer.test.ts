import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { runProgram } from '../support/command.ts'
import { engines, type Place } from '../support/engines.ts'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { endAll, type Service, startService } from '../support/service.ts'
import { replyOf } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const clients = 32
const turns = 12

let place: Place
let bouncer: Pgbouncer
let url: string
let services: Service[]
let tenants: { readonly name: string; readonly bid: string; readonly headers: Record<string, string> }[]

beforeAll(async () => {
  const postgres = engines.find(({ name }) => name === 'postgres')
  if (!postgres) throw new Error('There is no engine postgres')
  place = await postgres.makePlace()
  const direct = place.url.replace('?pgbouncer=true', '')
  // What a session begins with must not matter, because nobody knows whose session it was before.
  const client = new SQL(direct, { max: 1 })
  await client.unsafe(`alter database ${new URL(direct).pathname.slice(1)} set timezone = 'Asia/Tokyo'`)
  await client.close()
  bouncer = await startPgbouncer(direct)
  url = bouncer.through(direct)
  const starts = [1, 2, 3].map(() => startService({ DATABASE_URL: url, LOG: 'off' }))
  services = await Promise.all(starts)
  tenants = [await makeTenant('Acme'), await makeTenant('Rival')]
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()))
  await bouncer.stop()
  await place.remove()
})

async function makeTenant(name: string) {
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram([...args, '--json'], { DATABASE_URL: url })).stdout)
  await run('company', 'create', name)
  const { id: bid } = await run('bid', 'create', '--company', name, '--name', `${name}'s bid`)
  const made = await run('credential', 'create', '--company', name, '--name', name)
  const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
  return { name, bid, headers }
}

test('three instances behind PgBouncer in transaction mode answer each request with what it asked for', async () => {
  const wrong: string[] = []
  const work = async (client: number): Promise<void> => {
    const tenant = tenants[client % 2]
    if (!tenant) throw new Error('There is no company')
    for (let turn = 0; turn < turns; turn += 1) {
      const path = `${services[(client + turn) % services.length]?.base}/rest/v1/project`
      const project_name = `${tenant.name} ${client} ${turn}`
      const body = JSON.stringify({ bid_id: tenant.bid, project_name })
      // With a key, it is a transaction of several statements; without, one statement by itself.
      const key: Record<string, string> = turn % 2 === 0 ? { 'Idempotency-Key': Bun.randomUUIDv7() } : {}
      const made = await replyOf(await fetch(path, { method: 'POST', headers: { ...tenant.headers, ...key }, body }))
      const row = made.json
      if (made.status !== 201 || row.project_name !== project_name) wrong.push(`${made.status} ${JSON.stringify(row)}`)
      // Of ever other shapes, so that a statement of another connection would show.
      const columns = ['id', 'project_name', 'bid_id', 'created_at'].slice(turn % 3)
      const found = await replyOf(
        await fetch(`${path}?id=eq.${row.id}&select=${columns.join()},bid(bid_name)`, { headers: tenant.headers }),
      )
      const [read] = found.json
      const expected = {
        ...Object.fromEntries(columns.map((name) => [name, row[name]])),
        bid: { bid_name: `${tenant.name}'s bid` },
      }
      if (JSON.stringify(read) !== JSON.stringify(expected)) wrong.push(JSON.stringify(read))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  expect(wrong).toEqual([])
  for (const tenant of tenants) {
    const { json: rows } = await replyOf(await fetch(`${services[0]?.base}/rest/v1/project`, tenant))
    expect(rows).toHaveLength((clients / 2) * turns)
    expect(rows.every((row: { project_name: string }) => row.project_name.startsWith(tenant.name))).toBe(true)
    expect(rows[0].created_at).toEndWith('+00:00')
  }
})

test('one that is not told of PgBouncer says so at its start', async () => {
  const { exitCode, stderr } = await runProgram(['company', 'list'], {
    DATABASE_URL: url.replace('?pgbouncer=true', ''),
  })
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('?pgbouncer=true')])
})
