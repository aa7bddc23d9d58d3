import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { runProgram } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { onEachEngine } from '../support/engines.ts'
import { mistyped } from '../support/mistyped.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { holdPost, isRefused, sendRaw } from '../support/raw.ts'
import { endAll, type Service, startService, until } from '../support/service.ts'
import { replyOf, sendAgainWhile } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const json = { 'Content-Type': 'application/json' }

onEachEngine('the log', (world) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off' })
  })
  afterAll(() => service.stop())

  const lines = () => service.stdout.split('\n').filter((line) => line.startsWith('{'))

  /** The lines of one answer, once there is one. */
  async function linesOf(answer: Response) {
    const id = answer.headers.get('X-Request-Id') ?? 'none'
    await until(() => service.stdout.includes(id))
    // A second line would come with the same write or the next.
    await Bun.sleep(100)
    return lines()
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line))
  }

  test('has one line of JSON for each request, found by its X-Request-Id', async () => {
    const answer = await fetch(`${service.base}/rest/v1/project?select=id`, { headers: world.acme.headers })
    await answer.text()
    const found = await linesOf(answer)
    expect(found).toHaveLength(1)
    expect({ ...found[0] }).toMatchObject({
      request_id: answer.headers.get('X-Request-Id'),
      method: 'GET',
      route: expect.stringMatching(/^\/rest\/v1\/[^?]+$/),
      status: 200,
      ms: expect.any(Number),
      company_id: world.acme.id,
      credential_id: world.acme.credentialId,
    })
    expect(Date.parse(found[0].time)).toBeGreaterThan(Date.now() - 120_000)
  })

  test('has one line for a refused request too, with its code', async () => {
    const headers = { ...world.acme.headers, ...json }
    const answer = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers, body: '{"bid_id":1' })
    await answer.text()
    expect(await linesOf(answer)).toEqual([
      expect.objectContaining({ method: 'POST', status: 400, code: 'PGRST102', company_id: world.acme.id }),
    ])
  })

  test('never shows a token, right or wrong, wherever it was put', async () => {
    const { apiKey, apiSecret } = world.acme
    const wrong = mistyped(apiKey)
    const sent: readonly [string, RequestInit][] = [
      ['/project', { headers: { apikey: wrong } }],
      ['/project', { headers: { apikey: apiSecret } }],
      ['/project', { headers: { apikey: apiKey, Authorization: `Bearer ${wrong}` } }],
      ['/project', { headers: { apikey: apiKey, 'X-API-Secret': `${apiSecret}x` } }],
      [`/project?apikey=${apiKey}`, { headers: world.acme.headers }],
      [`/project?select=${apiSecret}`, { headers: world.acme.headers }],
      [`/project?id=eq.${apiSecret}`, { headers: world.acme.headers }],
      [`/project?project_name=neq.${apiSecret}&limit=1`, { headers: { ...world.acme.headers, Prefer: 'count=exact' } }],
      [`/${apiKey}`, { headers: world.acme.headers }],
      [`/project/${apiKey}`, { headers: world.acme.headers }],
      ['/project', { method: 'POST', headers: { ...world.acme.headers, ...json }, body: `{"${apiSecret}":1}` }],
      ['/project', { method: 'POST', headers: { ...world.acme.headers, 'Content-Type': apiSecret }, body: '{}' }],
      ['/project', { headers: { ...world.acme.headers, Accept: apiSecret, Prefer: `handling=strict, ${apiKey}` } }],
    ]
    const answers = await Promise.all(sent.map(([path, init]) => fetch(`${service.base}/rest/v1${path}`, init)))
    for (const answer of answers) expect(answer.status).toBeLessThan(500)
    const logged = await Promise.all(answers.map(linesOf))
    expect(logged.map(({ length }) => length)).toEqual(sent.map(() => 1))
    const told = answers.map(({ headers }) => [...headers].join('\n')).join('\n')
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    for (const token of [apiKey, apiSecret, wrong]) {
      expect(service.stdout + service.stderr).not.toContain(token.slice(4, 20))
      expect(told + bodies.join('\n')).not.toContain(token.slice(4, 20))
    }
  })

  test('has one line for a list that is sent in many parts', async () => {
    await world.acme.seed(Array.from({ length: 1200 }, (_, at) => `Project ${at}`))
    const answer = await fetch(`${service.base}/rest/v1/project`, { headers: world.acme.headers })
    expect(await answer.json()).toHaveLength(1201)
    expect(await linesOf(answer)).toEqual([expect.objectContaining({ status: 200, company_id: world.acme.id })])
  })

  test('leaves out health probes that succeed, unless LOG_LEVEL=debug', async () => {
    const detailed = await startService({ DATABASE_URL: world.databaseUrl, LOG_LEVEL: 'debug' })
    for (const { base } of [service, detailed]) {
      for (const path of ['/health/live', '/health/ready', '/nowhere']) await fetch(base + path)
    }
    await detailed.stop()
    await until(() => service.stdout.includes('"unknown"'))
    expect(service.stdout).not.toContain('/health/')
    expect(detailed.stdout).toMatch(/"level":"debug","event":"request".*"route":"\/health\/ready"/)
  })

  test('has only failures with LOG_LEVEL=error', async () => {
    const quiet = await startService({ DATABASE_URL: world.databaseUrl, LOG_LEVEL: 'error' })
    await fetch(`${quiet.base}/rest/v1/project`, { headers: world.acme.headers })
    await quiet.stop()
    expect(quiet.stdout).toBe('')
  })

  test('is silent with LOG=off', async () => {
    const silent = await startService({ DATABASE_URL: world.databaseUrl, LOG: 'off' })
    await fetch(`${silent.base}/rest/v1/project`, { headers: world.acme.headers })
    await silent.stop()
    expect(silent.stdout).not.toContain('{')
  })
})

onEachEngine('health', (world) => {
  test.each(['/health/live', '/health/ready'])('%s is good while all is well', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${world.base}${path}`, { method })
      expect([answer.status, answer.headers.has('X-Request-Id')]).toEqual([200, true])
      expect(await answer.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '')
    }
    expect((await fetch(`${world.base}${path}`, { method: 'POST' })).status).toBe(405)
  })
})

onEachEngine('a signal to stop', (world) => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request under way finish, and takes no new one',
    async (signal) => {
      const service = await startService({ DATABASE_URL: world.databaseUrl, STOP_TIMEOUT_S: '300' })
      const row = { bid_id: world.acme.bid, project_name: `At ${signal}` }
      const request = holdPost(service.base, '/rest/v1/project', world.acme.headers, row)
      await request.begun
      service.kill(signal)
      await until(() => isRefused(service.base))
      expect(await request.finish()).toMatch(/^HTTP\/1\.1 201 .*\{"id":".*\}/s)
      expect(await service.ended).toBe(0)
      expect((await world.acme.get(`/project?project_name=eq.At ${signal}`)).json).toHaveLength(1)
      expect(service.stdout).toMatch(/"method":"POST".*"status":201/)
      expect(service.stderr).toBe('')
    },
  )

  test('ends an idle service with open connections at once', async () => {
    const service = await startService({ DATABASE_URL: world.databaseUrl })
    for (let request = 0; request < 5; request += 1) await fetch(`${service.base}/health/ready`)
    const idle = connect(Number(new URL(service.base).port), '127.0.0.1')
    idle.on('error', () => {})
    await new Promise((resolve) => idle.once('connect', resolve))
    const askedAt = performance.now()
    expect(await service.stop()).toBe(0)
    // An idle connection is closed after a minute.
    expect(performance.now() - askedAt).toBeLessThan(30_000)
    idle.destroy()
  })

  test('does not wait for ever for a client that does not read, and ends cleanly', async () => {
    // More than the kernel takes for it.
    const names = Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(240)}`)
    for (let part = 0; part < 8; part += 1) await world.acme.seed(names)
    const service = await startService({ DATABASE_URL: world.databaseUrl, STOP_TIMEOUT_S: '1', IDLE_TIMEOUT_S: '255' })
    const slow = sendRaw(service.base, 'GET /rest/v1/project', world.acme.headers)
    await until(() => slow.received() !== '')
    slow.socket.pause()
    const askedAt = performance.now()
    expect(await service.stop()).toBe(0)
    // Without a deadline of its own it would take as long as an idle connection may.
    expect(performance.now() - askedAt).toBeLessThan(25_000)
    expect(service.stdout).toMatch(/"route":"\/rest\/v1\/:resource","status":200/)
    expect(service.stderr).toBe('')
    slow.socket.destroy()
    await world.acme.delete('/project?project_name=like.*xxxx*')
  })

  test('that comes twice does not wait', async () => {
    const service = await startService({ DATABASE_URL: world.databaseUrl, STOP_TIMEOUT_S: '300' })
    const row = { bid_id: world.acme.bid, project_name: 'Never' }
    const request = holdPost(service.base, '/rest/v1/project', world.acme.headers, row)
    await request.begun
    service.kill('SIGTERM')
    await until(() => isRefused(service.base))
    service.kill('SIGTERM')
    expect(await service.ended).toBe(1)
    expect(await request.answer).not.toContain('HTTP/1.1 2')
    expect((await world.acme.get('/project?project_name=eq.Never')).json).toEqual([])
  })
})

test('a process that may open few files says so at its start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-files-'))
  const env = { DATABASE_URL: join(folder, 'x.db'), DEMO: 'off' }
  const service = await startService(env, ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'])
  await until(() => service.stdout.includes('"event":"open_files"'))
  expect(service.stdout).toContain('The limit of open files and connections is 256')
  await service.stop()
  rmSync(folder, { recursive: true })
})

describe('a PostgreSQL that goes away', () => {
  let server: PostgresServer
  let service: Service
  let headers: Record<string, string>
  let bid: string

  beforeAll(async () => {
    server = await startPostgres()
    const env = { DATABASE_URL: server.url }
    const run = async (...args: string[]) => JSON.parse((await runProgram([...args, '--json'], env)).stdout)
    await createTables(server.url)
    await run('company', 'create', 'Acme')
    bid = (await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')).id
    const made = await run('credential', 'create', '--company', 'Acme', '--name', 'Away')
    headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, ...json }
    service = await startService({ ...env, STATEMENT_TIMEOUT_MS: '5000' })
  }, 300_000)
  afterAll(async () => {
    await service.stop()
    await server.stop()
  })

  /** How long the service looks for what became of a create whose connection was lost, lets a statement take, and waits for a connection. */
  const patienceMs = 5000

  const list = () => fetch(`${service.base}/rest/v1/project`, { headers })
  const create = () =>
    fetch(`${service.base}/rest/v1/project`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ bid_id: bid, project_name: 'Pier' }),
    })
  const ready = () => fetch(`${service.base}/health/ready`)
  const isLate = ({ status }: Response, ms: number) => status === 504 && ms >= patienceMs
  const isUnreached = ({ status }: Response, ms: number) => status === 503 && ms >= patienceMs
  /** Asks again where PostgreSQL stood still for so long. */
  const served = (ask: () => Promise<Response>) =>
    sendAgainWhile((answer, ms) => isLate(answer, ms) || isUnreached(answer, ms), ask)

  /** The code that it is refused with. */
  async function expectAway(answer: Response, codes: readonly string[] = ['PGRST001']): Promise<string> {
    const { status, headers, json } = await replyOf(answer)
    expect([status, codes]).toEqual([503, expect.arrayContaining([json.code])])
    expect(Object.keys(json)).toEqual(['code', 'message', 'details', 'hint'])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    return json.code
  }

  test('closes every connection: clients see 503 at most, and soon nothing of it', async () => {
    await Promise.all(Array.from({ length: 20 }, list))
    const admin = new SQL(server.url, { max: 1 })
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'project-api %'`
    await admin.close()
    const at = performance.now()
    while (performance.now() - at < 500) {
      const sentAt = performance.now()
      const created = create().then((answer) => ({ answer, isSearchOver: performance.now() - sentAt >= patienceMs }))
      const others = [list, ready].map((ask) => sendAgainWhile(isLate, ask))
      for (const answer of await Promise.all(others)) if (!answer.ok) await expectAway(answer)
      const { answer, isSearchOver } = await created
      // What became of a lost create is not found in time where the machine stands still for so long, and no statement ends.
      if (isSearchOver && answer.status === 504) continue
      if (!answer.ok) await expectAway(answer, isSearchOver ? ['PGRST001', 'outcome_unknown'] : ['PGRST001'])
    }
    await until(async () => (await Promise.all([list(), create(), ready()])).every(({ ok }) => ok))
  })

  test('is 503 with Retry-After in the moment that a credential is still remembered', async () => {
    expect((await served(list)).status).toBe(200)
    await server.crash()
    await expectAway(await list())
    await expectAway(await create())
    await expectAway(await ready())
  })

  test('is 503 for as long as it is away, while the service itself is alive', async () => {
    await Bun.sleep(1200)
    for (let times = 0; times < 3; times += 1) {
      await expectAway(await ready())
      await expectAway(await list())
      await expectAway(await create())
    }
    expect((await fetch(`${service.base}/health/live`)).status).toBe(200)
  })

  test('is used again by itself when it is back', async () => {
    await server.restart()
    const backAt = performance.now()
    await until(async () => (await ready()).status === 200)
    console.log(`PostgreSQL was in use again after ${Math.round(performance.now() - backAt)} ms`)
    expect((await served(list)).status).toBe(200)
    expect((await served(create)).status).toBe(201)
  })

  test('is 503 too when it takes requests and never answers, and is used again when it does', async () => {
    let code = 'PGRST001'
    // On a busy machine, the credential may be forgotten before the create. Then it is its look-up that nobody answers.
    for (let times = 0; code === 'PGRST001' && times < 5; times += 1) {
      code = await createUnanswered()
      await until(async () => (await ready()).status === 200)
      expect((await served(list)).status).toBe(200)
    }
    // It was taken, and nobody can tell whether it will be done.
    expect(code).toBe('outcome_unknown')
  })

  /** As from a machine that is cut off, which closes no connection: nothing comes back at all. The code of a create then. */
  async function createUnanswered(): Promise<string> {
    expect((await served(list)).status).toBe(200)
    const admin = new SQL(server.url, { max: 1 })
    await admin`select 1`
    const stopped = [server.pid ?? 0]
    try {
      // First who makes the others: one that is being made meanwhile would go on.
      process.kill(server.pid ?? 0, 'SIGSTOP')
      await Bun.sleep(200)
      const backends: { pid: number }[] = await admin`select pid from pg_stat_activity where pid <> pg_backend_pid()`
      await admin.close()
      // From now on the credential is remembered for a second, so a create is what nobody answers.
      await Bun.sleep(1100)
      expect((await served(list)).status).toBe(200)
      for (const { pid } of backends) {
        process.kill(pid, 'SIGSTOP')
        stopped.push(pid)
      }
      const [code = ''] = await Promise.all([
        within(60_000, create()).then((answer) => expectAway(answer, ['outcome_unknown', 'PGRST001'])),
        ...[list, ready].map(async (ask) => expectAway(await within(60_000, ask()))),
      ])
      expect((await fetch(`${service.base}/health/live`)).status).toBe(200)
      return code
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    }
  }

  test('leaves no secret of the database in what the service said', () => {
    expect(service.stderr).toBe('')
    expect(service.stdout).not.toMatch(/pa[ks]_[0-9A-Za-z]/)
  })
})

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const late = Bun.sleep(timeoutMs).then(() => {
    throw new Error(`There was no answer within ${timeoutMs} ms`)
  })
  return Promise.race([work, late])
}
