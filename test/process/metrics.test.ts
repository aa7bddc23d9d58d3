import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { engines, onEachEngine, type Place } from '../support/engines.ts'
import { adminOf, type Sample, scrape, total } from '../support/metrics.ts'
import { mistyped } from '../support/mistyped.ts'
import { endAll, runCli, type Service, startService, until } from '../support/service.ts'
import { replyOf } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const rest = '/rest/v1/:resource'

onEachEngine('metrics', (world, engine) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', ADMIN_PORT: '0' })
  })
  afterAll(() => service.stop())

  const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
    const answer = await fetch(service.base + path, init)
    await answer.text()
    return answer.status
  }

  test('count requests by route, method and status, errors by code, and what came of keys', async () => {
    const { headers, apiKey, bid } = world.acme
    const before = await scrape(service)
    const body = JSON.stringify({ bid_id: bid, project_name: 'Measured' })
    const json = { ...headers, 'Content-Type': 'application/json' }
    const statuses = [
      await ask('/rest/v1/project?select=id', { headers }),
      await ask(`/rest/v1/bid?id=eq.${bid}`, { headers }),
      await ask('/rest/v1/project', { method: 'POST', headers: json, body }),
      await ask('/rest/v1/project', { method: 'POST', headers: json, body: '{' }),
      await ask('/rest/v1/project', { headers: { apikey: apiKey } }),
      await ask('/rest/v1/project', { headers: { apikey: mistyped(apiKey) } }),
      await ask('/rest/v1/project'),
      await ask(`/api/members/${world.acme.id}`, { method: 'DELETE', headers: { Origin: service.base } }),
      await ask(`/nothing/${world.acme.id}`),
    ]
    expect(statuses).toEqual([200, 200, 201, 400, 200, 401, 401, 401, 404])
    const after = await scrape(service)
    const more = (name: string, labels: Sample['labels']) => total(after, name, labels) - total(before, name, labels)
    const requests = (route: string, method: string, status: string) =>
      more('project_api_requests_total', { route, method, status })
    expect(requests(rest, 'GET', '200')).toBe(3)
    expect(requests(rest, 'POST', '201')).toBe(1)
    expect(requests(rest, 'POST', '400')).toBe(1)
    expect(requests(rest, 'GET', '401')).toBe(2)
    expect(requests('/api/members/:id', 'DELETE', '401')).toBe(1)
    expect(requests('unknown', 'GET', '404')).toBe(1)
    expect(more('project_api_errors_total', { code: 'PGRST102' })).toBe(1)
    expect(more('project_api_errors_total', { code: 'invalid_api_key' })).toBe(2)
    expect(more('project_api_auth_total', { outcome: 'ok' })).toBe(4)
    expect(more('project_api_auth_total', { outcome: 'not_scoped', reason: 'secret_missing' })).toBe(1)
    expect(more('project_api_auth_total', { outcome: 'refused', reason: 'key_unknown' })).toBe(1)
    expect(more('project_api_auth_total', { outcome: 'refused', reason: 'key_missing' })).toBe(1)
    expect(more('project_api_request_duration_seconds_count', { route: rest, method: 'GET' })).toBe(5)
    expect(more('project_api_request_duration_seconds_bucket', { route: rest, method: 'GET', le: '+Inf' })).toBe(5)
    expect(more('project_api_request_duration_seconds_sum', { route: rest })).toBeGreaterThan(0)
  })

  test('tell of the store, the event loop, the process and the version', async () => {
    await until(async () => total(await scrape(service), 'project_api_event_loop_delay_seconds_count') > 2)
    const samples = await scrape(service)
    const queues = engine.name === 'sqlite' ? ['commits', 'lists', 'long'] : ['statements', 'rare', 'long']
    const named = samples.filter(({ name }) => name === 'project_api_queue_waiting').map(({ labels }) => labels.queue)
    expect(named).toEqual(['reads', 'writes', 'lookups', ...queues])
    expect(total(samples, 'project_api_queue_refused_total')).toBe(0)
    expect(samples.map(({ name }) => name)).toContain('project_api_bytes_in_flight')
    expect(total(samples, 'project_api_bytes_refused_total')).toBe(0)
    expect(total(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(total(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(Math.abs(total(samples, 'process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(600)
    expect(total(samples, 'project_api_build_info', { engine: engine.name })).toBe(1)
    if (engine.name === 'postgres') expect(total(samples, 'project_api_store_connections_max')).toBe(10)
    else {
      expect(total(samples, 'project_api_store_commits_total')).toBeGreaterThan(0)
      expect(total(samples, 'project_api_store_writes_total')).toBeGreaterThan(0)
    }
  })

  test('count work that is refused because too much waits', async () => {
    const small = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', ADMIN_PORT: '0', QUEUE_MAX: '1' })
    try {
      const askAs = ({ headers }: { readonly headers: Record<string, string> }) =>
        Promise.all(Array.from({ length: 40 }, () => fetch(`${small.base}/rest/v1/project`, { headers })))
      let refused = 0
      await until(async () => {
        const answers = (await Promise.all([askAs(world.acme), askAs(world.rival)])).flat()
        const replies = await Promise.all(answers.map(replyOf))
        // A server that stands still is another reason for a 503.
        refused += replies.filter(({ status, json }) => status === 503 && json.code === 'overloaded').length
        return refused > 0
      })
      const samples = await scrape(small)
      expect(total(samples, 'project_api_queue_refused_total')).toBe(refused)
      expect(total(samples, 'project_api_errors_total', { code: 'overloaded' })).toBe(refused)
    } finally {
      await small.stop()
    }
  })

  test('name no company, no key and no id', async () => {
    const values = (await scrape(service)).flatMap(({ labels }) => Object.values(labels))
    expect(values.length).toBeGreaterThan(50)
    const telling = /[0-9a-f]{8}-[0-9a-f]{4}|pak_|pas_|acme|rival/i
    expect(values.filter((value) => telling.test(value))).toEqual([])
  })

  test('are on a port of their own, with health, and nothing else is', async () => {
    const admin = adminOf(service)
    expect(new URL(admin).hostname).toBe('127.0.0.1')
    expect(await ask('/metrics')).toBe(404)
    const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(admin + path, init)).status
    expect(await statusOf('/health/live')).toBe(200)
    expect(await statusOf('/health/ready')).toBe(200)
    expect(await statusOf('/metrics', { method: 'POST' })).toBe(405)
    expect(await statusOf('/rest/v1/project', { headers: world.acme.headers })).toBe(404)
    expect(await statusOf('/')).toBe(404)
    const { headers } = await fetch(`${admin}/metrics`)
    expect(headers.get('Content-Type')).toStartWith('text/plain; version=0.0.4')
  })
})

test('a port for metrics that is taken stops the start, and says which setting to change', async () => {
  const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const place = await engines[0]?.makePlace()
  const env = { DATABASE_URL: place?.url ?? '', PORT: '0', DEMO: 'off', ADMIN_PORT: String(taken.port) }
  const { exitCode, stderr } = await runCli(['serve'], env)
  taken.stop(true)
  await place?.remove()
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('or set ADMIN_PORT to another.')])
})

// Only there does the system share a port between processes fairly.
describe.skipIf(process.platform !== 'linux')('metrics of workers', () => {
  let place: Place
  beforeAll(async () => {
    const postgres = engines.find(({ name }) => name === 'postgres')
    if (!postgres) throw new Error('There is no PostgreSQL')
    place = await postgres.makePlace()
  })
  afterAll(() => place.remove())

  test('are on one page, each with its worker, and one that is replaced begins anew', async () => {
    const service = await startService({ DATABASE_URL: place.url, WORKERS: '2', ADMIN_PORT: '0' })
    const live = (samples: readonly Sample[]) =>
      total(samples, 'project_api_requests_total', { route: '/health/live', status: '200' })
    /** Of both workers: one that is too busy to answer is left out. */
    const scrapeBoth = async (): Promise<readonly Sample[]> => {
      let samples = await scrape(service)
      while (total(samples, 'project_api_build_info') !== 2) samples = await scrape(service)
      return samples
    }
    try {
      const before = live(await scrapeBoth())
      const asked = Array.from({ length: 40 }, () =>
        fetch(`${service.base}/health/live`, { headers: { Connection: 'close' } }),
      )
      for (const answer of await Promise.all(asked)) await answer.text()
      const samples = await scrapeBoth()
      expect(live(samples) - before).toBe(40)
      const workersOf = (all: readonly Sample[]) => [...new Set(all.map(({ labels }) => labels.worker))].sort()
      expect(workersOf(samples)).toEqual(['1', '2'])
      const startOf = (all: readonly Sample[]) => total(all, 'process_start_time_seconds')
      const [first = 0] = await childrenOf(service.pid)
      process.kill(first, 'SIGKILL')
      await until(() => service.stdout.includes(`Worker ${first} ended`))
      const later = await scrapeBoth()
      expect(workersOf(later)).toEqual(['1', '2'])
      expect(startOf(later)).toBeGreaterThan(startOf(samples))
      expect(live(later)).toBeLessThan(live(samples))
    } finally {
      expect(await service.stop()).toBe(0)
    }
  })
})

const childrenOf = async (pid: number): Promise<number[]> =>
  (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).split(' ').filter(Boolean).map(Number)
