import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { engines } from '../support/engines.ts'
import { type Environment, endAll, runCli, type Service, startCli, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const folder = mkdtempSync(join(tmpdir(), 'project-api-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inFolder = (name: string): string => join(folder, name)
const token = /pa[ks]_[0-9A-Za-z]/

/** How long it takes at present to load the program, open the database, and end. */
async function commandMs(DATABASE_URL: string): Promise<number> {
  const startedAt = performance.now()
  expect((await runCli(['company', 'list'], { DATABASE_URL })).exitCode).toBe(0)
  return performance.now() - startedAt
}

describe('the first start on a new file', () => {
  const path = inFolder('new/folder/first.db')
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: path })
  })
  afterAll(() => service.stop())

  function storedHash(): unknown {
    using file = new Database(path, { readonly: true })
    return file.query('select password from account').values()[0]?.[0]
  }

  test('says what runs where', () => {
    expect(service.banner).toMatch(new RegExp(`Project API ${version.replaceAll('.', '\\.')}, ready in \\d+ ms\n`))
    expect(service.banner).toContain(`${service.base}/rest/v1/project\n`)
    expect(service.banner).toContain(`${service.base}/health/ready\n`)
    expect(service.banner).toContain(`${path}\n`)
    expect(service.stderr).toBe('')
  })

  test('keeps its log pure JSON, which says where it listens and nothing secret', async () => {
    await until(() => service.stdout.endsWith('\n'))
    const [started, ...others] = service.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(started).toEqual({
      time: expect.any(String),
      level: 'info',
      event: 'started',
      version,
      url: service.base,
      database: path,
      ms: expect.any(Number),
    })
    expect(others).toEqual([])
  })

  test('shows a key, its secret and the id of a bid', () => {
    expect(service.banner).toMatch(/API key +pak_[0-9A-Za-z]{38}\n/)
    expect(service.banner).toMatch(/API secret +pas_[0-9A-Za-z]{49}\n/)
    expect(service.banner).toMatch(/bid's id +[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n/)
  })

  test('shows a person to sign in with, and where', async () => {
    const [, email = ''] = /E-mail +(\S+)\n/.exec(service.banner) ?? []
    const [, password = ''] = /Password +(\S+)\n/.exec(service.banner) ?? []
    expect(service.banner).toContain(`Sign in at  ${service.base}/\n`)
    const headers = { Origin: service.base, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ email, password })
    const answer = await fetch(`${service.base}/api/auth/sign-in/email`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    const cookie = answer.headers.getSetCookie().join().split(';')[0] ?? ''
    const session = await fetch(`${service.base}/api/session`, { headers: { Cookie: cookie } })
    expect(await session.json()).toMatchObject({ company: { name: 'Demo company', role: 'owner' } })
    // Hashes as costly as they should be: in the process of the tests, they are cheap.
    const costly = /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/
    expect(storedHash()).toMatch(costly)
    const first = storedHash()
    const changed = await fetch(`${service.base}/api/auth/change-password`, {
      method: 'POST',
      headers: { ...headers, Cookie: cookie },
      body: JSON.stringify({ currentPassword: password, newPassword: 'another long password' }),
    })
    expect([changed.status, storedHash() === first]).toEqual([200, false])
    expect(storedHash()).toMatch(costly)
  })

  test('prints two curl lines that work when pasted', async () => {
    const lines = service.banner.split('\n').filter((line) => line.startsWith('curl '))
    expect(lines).toHaveLength(2)
    const list = await paste(lines[0] ?? '')
    expect([list.status, list.json.length]).toEqual([200, 5])
    const create = await paste(lines[1] ?? '')
    expect([create.status, create.json.project_name]).toEqual([201, 'My first project'])
    expect((await paste(lines[0] ?? '')).json).toHaveLength(6)
  })

  test('has projects and bids with fields, and states that change as they may', async () => {
    const [list = ''] = service.banner.split('\n').filter((line) => line.startsWith('curl '))
    const get = async (path: string) => (await paste(list.replace(/rest\/v1\/project[^\s'"]*/, `rest/v1/${path}`))).json
    const [first] = await get('project?status=eq.done')
    expect(first).toMatchObject({ project_name: 'Pile foundations', contract_value: 1150000, due_on: '2027-01-29' })
    expect(await get('bid?select=bid_name,amount,due_on&amount=lt.1000000')).toEqual([
      { bid_name: 'School extension', amount: 965000.5, due_on: '2027-01-15' },
    ])
    const [status] = await get('field?resource=eq.project&name=eq.status')
    expect(status).toMatchObject({ initial: 'planned', transitions: { active: ['done', 'cancelled'] } })
  })

  test('keeps everything for the second start, which is quick and shows no token', async () => {
    const [list = ''] = service.banner.split('\n').filter((line) => line.startsWith('curl '))
    const before = await paste(list)
    expect(await service.stop()).toBe(0)
    const commandBeforeMs = await commandMs(path)
    let quickestMs = Number.POSITIVE_INFINITY
    // A machine may stall during one of them.
    for (let times = 0; times < 3; times += 1) {
      const again = await startService({ DATABASE_URL: path })
      try {
        quickestMs = Math.min(quickestMs, again.answeredInMs)
        expect(again.banner).toContain(`Project API ${version}, ready in`)
        expect(again.banner + again.stdout).not.toMatch(token)
        const after = await paste(list.replace(service.base, again.base))
        expect([after.status, after.json]).toEqual([200, before.json])
      } finally {
        await again.stop()
      }
    }
    // It may also be busy before or after them.
    expect(quickestMs).toBeLessThan(1000 + 5 * Math.max(commandBeforeMs, await commandMs(path)))
    console.log(`Second start: answered ${Math.round(quickestMs)} ms after it was spawned`)
  })
})

test('a log for people has the banner in it', async () => {
  const service = await startService({ DATABASE_URL: inFolder('text.db'), LOG: 'text' })
  expect(await service.stop()).toBe(0)
  expect(service.stdout).toMatch(/API secret +pas_/)
  expect(service.stdout).not.toContain(' started ')
  expect(service.stderr).toBe('')
})

test('with --json, says the same in one document', async () => {
  const DATABASE_URL = inFolder('json.db')
  const service = startCli(['serve', '--json'], { DATABASE_URL, PORT: '0', LOG: 'text' })
  await until(() => service.stdout.includes('\n'))
  const [line = ''] = service.stdout.split('\n')
  const { url, demo, ready_ms, ...others } = JSON.parse(line)
  expect(ready_ms).toBeGreaterThan(0)
  expect(others).toEqual({
    ...{ version, settings_url: url, database: DATABASE_URL, workers: 1, metrics_url: null, warning: null },
  })
  const headers = { apikey: demo.api_key, 'X-API-Secret': demo.api_secret }
  const bids = await (await fetch(`${url}/rest/v1/bid?id=eq.${demo.bid_id}&select=id`, { headers })).json()
  expect(bids).toEqual([{ id: demo.bid_id }])
  service.kill('SIGTERM')
  expect(await service.ended).toBe(0)
})

describe('demo data', () => {
  test('is not made with DEMO=off', async () => {
    await expectNoDemo({ DATABASE_URL: inFolder('off.db'), DEMO: 'off' })
  })

  test('is never made on PostgreSQL', async () => {
    const place = await engines.find(({ name }) => name === 'postgres')?.makePlace()
    if (!place) throw new Error('There is no PostgreSQL')
    try {
      await expectNoDemo({ DATABASE_URL: place.url, DEMO: 'on' })
    } finally {
      await place.remove()
    }
  })

  // What was made but never shown would be lost: its secret is stored nowhere.
  test('is shown at the next start when the first one found its port taken', async () => {
    const env = { DATABASE_URL: inFolder('lost.db') }
    await withTakenPort(async (port) => {
      expect((await runCli(['serve'], { ...env, PORT: String(port) })).exitCode).toBe(1)
    })
    const service = await startService(env)
    await service.stop()
    expect(service.banner).toMatch(/API secret +pas_/)
  })
})

describe('a start that cannot be', () => {
  writeFileSync(inFolder('a-file'), 'This is no database, but it is long enough to be looked at as one.'.repeat(20))
  const password = 'hunter2-Zx9'

  test('says that the port is taken', async () => {
    await withTakenPort((port) =>
      expectRefusal({ DATABASE_URL: inFolder('port.db'), PORT: String(port) }, [`${port}`, 'PORT'], 1),
    )
  })

  const cases: readonly [string, Environment, readonly string[], number][] = [
    ['a folder that cannot be written', { DATABASE_URL: inFolder('a-file/x.db') }, ['DATABASE_URL', 'a-file/x.db'], 1],
    ['a path that is a folder', { DATABASE_URL: folder }, ['DATABASE_URL', folder], 1],
    ['a file that is no database', { DATABASE_URL: inFolder('a-file') }, ['DATABASE_URL', 'a-file'], 1],
    ['a database that is not there', { DATABASE_URL: remote('postgres', '127.0.0.1:1') }, ['DATABASE_URL'], 1],
    ['its scheme in capitals', { DATABASE_URL: remote('POSTGRES', '127.0.0.1:1') }, ['DATABASE_URL'], 1],
    ['another scheme', { DATABASE_URL: remote('mysql', '127.0.0.1:1') }, ['DATABASE_URL', 'mysql', 'postgres://'], 2],
    ['an address that is none', { DATABASE_URL: remote('postgres', '[::1') }, ['DATABASE_URL', 'postgres://'], 2],
    ['a PORT that is no number', { PORT: 'http' }, ['PORT', 'http', '65535'], 2],
    ['a PORT out of range', { PORT: '65536' }, ['PORT', '65536', '65535'], 2],
    ['a HOST that is not ours', { HOST: '192.0.2.1' }, ['HOST', '192.0.2.1'], 1],
    ['another word for DEMO', { DEMO: 'maybe' }, ['DEMO', 'maybe', 'on', 'off'], 2],
    ['a MAX_ROWS of nothing', { MAX_ROWS: '0' }, ['MAX_ROWS'], 2],
  ]
  test.each(cases)('says what is wrong with %s', async (_, env, words, exitCode) => {
    await expectRefusal({ DATABASE_URL: inFolder('unused.db'), PORT: '0', ...env }, words, exitCode)
  })

  test('says that PostgreSQL has no such database', async () => {
    const place = await engines.find(({ name }) => name === 'postgres')?.makePlace()
    if (!place) throw new Error('There is no PostgreSQL')
    await place.remove()
    const url = new URL(place.url)
    url.password = password
    await expectRefusal({ DATABASE_URL: url.href, PORT: '0' }, ['DATABASE_URL', url.pathname.slice(1)], 1)
  })

  function remote(scheme: string, host: string): string {
    return `${scheme}://somebody:${password}@${host}/projects`
  }

  async function expectRefusal(env: Environment, words: readonly string[], exitCode: number): Promise<void> {
    const before = readdirSync(folder)
    const ended = await runCli(['serve'], env, folder)
    expect(ended.stderr).toMatch(/^[^\n]+\.\n$/)
    expect(ended.stderr).not.toMatch(/^\s+at /m)
    expect(ended.stdout + ended.stderr).not.toContain(password)
    for (const word of words) expect(ended.stderr).toContain(word)
    expect(ended.exitCode).toBe(exitCode)
    expect(readdirSync(folder).filter((name) => !before.includes(name) && !/^(unused|port)\.db/.test(name))).toEqual([])
  }
})

/** Runs a line as a person would who pastes it. */
async function paste(line: string) {
  const child = Bun.spawn(['bash', '-c', `${line} -sS -w '\\n%{http_code}'`], { stdout: 'pipe', stderr: 'inherit' })
  const lines = (await child.stdout.text()).split('\n')
  return { status: Number(lines.at(-1)), json: JSON.parse(lines.slice(0, -1).join('\n')) }
}

async function expectNoDemo(env: Environment): Promise<void> {
  const service = await startService(env)
  try {
    expect(service.banner).toContain(`Project API ${version}, ready in`)
    expect(service.banner + service.stdout).not.toMatch(token)
    expect((await runCli(['company', 'list', '--json'], env)).stdout).toBe('[]\n')
  } finally {
    await service.stop()
  }
}

async function withTakenPort(work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await work(typeof address === 'object' && address ? address.port : 0)
  } finally {
    server.close()
  }
}

describe('a password in a setting that cannot be used', () => {
  const word = 'TopSecret1'
  test.each([
    { DATABASE_URL: `postgres://user:${word}@127.0.0.1:1/name` },
    { DATABASE_URL: `postgres://user:${word}@127.0.0.1:1/name?sslmode=bogus` },
    { DATABASE_URL: `postgres://user:%${word}@127.0.0.1:1/name` },
    { DATABASE_URL: `postgres:user:${word}` },
    { DATABASE_URL: `postgres://user:${word}@/name` },
    { DATABASE_URL: `mysql://user:${word}@host/name` },
    { SMTP_URL: `http://user:${word}@host` },
    { BASE_URL: `http://user:${word}@host/path` },
    { AUTH_SECRET: word },
  ])('is not told to whoever reads what the program says: %j', async (env) => {
    for (const more of [[], ['--json']]) {
      const ended = await runCli(['company', 'list', ...more], { DATABASE_URL: inFolder('never.db'), ...env })
      expect(ended.exitCode).toBeGreaterThan(0)
      expect(ended.stderr).not.toBe('')
      expect(ended.stdout + ended.stderr).not.toContain(word.slice(3))
    }
  })
})
