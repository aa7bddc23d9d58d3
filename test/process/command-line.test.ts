import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { commands } from '../../src/cli/index.ts'
import { runProgram } from '../support/command.ts'
import { engines, onEachEngine } from '../support/engines.ts'
import { endAll, runCli, type Service, startService } from '../support/service.ts'
import { replyOf } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const dayMs = 86_400_000

onEachEngine('the command line, while a server runs on the same database', (world) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off' })
  })
  afterAll(() => service.stop())

  const run = (...args: string[]) => runProgram(args, { DATABASE_URL: world.databaseUrl })

  /** The one document that a command prints. */
  async function document(...args: string[]) {
    const { exitCode, stdout, stderr } = await run(...args, '--json')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^[^\n]+\n$/)
    return JSON.parse(stdout)
  }

  async function complaint(exitCode: number, ...args: string[]): Promise<string> {
    const ended = await run(...args)
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ''])
    expect(ended.stderr).toMatch(/^[^\n]+\.\n$/)
    return ended.stderr
  }

  const statusWith = async (apiKey: string) =>
    (await fetch(`${service.base}/rest/v1/project`, { headers: { apikey: apiKey } })).status

  test('does in a process of its own what the other tests see of it in theirs', async () => {
    const env = { DATABASE_URL: world.databaseUrl }
    const all = ['company', 'list', '--json']
    expect(await runCli(all, env)).toEqual({ ...(await run(...all)), exitCode: 0 })
    const unknown = ['bid', 'list', '--company', 'Nobody']
    expect(await runCli(unknown, env)).toEqual({ ...(await run(...unknown)), exitCode: 1, stdout: '' })
  })

  test('makes a company and shows it among all', async () => {
    const made = await document('company', 'create', 'Bridges & Söhne')
    expect(made).toEqual({ id: expect.stringMatching(uuid), name: 'Bridges & Söhne' })
    const all = await document('company', 'list')
    expect(all).toContainEqual({ ...made, delete_after: null })
    expect(all).toContainEqual({ id: world.acme.id, name: 'Acme', delete_after: null })
  })

  test('makes a credential that the running server takes at once', async () => {
    const made = await document('credential', 'create', '--company', 'Acme', '--name', 'Reports')
    // Bun's toMatchObject writes its patterns into what it compares.
    expect({ ...made }).toMatchObject({
      id: expect.stringMatching(uuid),
      name: 'Reports',
      api_key: expect.stringMatching(/^pak_[0-9A-Za-z]{38}$/),
      api_secret: expect.stringMatching(/^pas_[0-9A-Za-z]{49}$/),
      access: 'read-write',
      company_id: world.acme.id,
      expires_at: null,
      revoked_at: null,
      state: 'active',
    })
    const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ bid_id: world.acme.bid, project_name: 'By a new credential' })
    const answer = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
    const oneField = { apikey: made.api_key_and_secret, 'Content-Type': 'application/json' }
    const again = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers: oneField, body })
    expect(again.status).toBe(201)
  })

  test('shows credentials of one company or of all, never with a secret', async () => {
    const ours = await document('credential', 'list', '--company', world.acme.id)
    expect(ours.map((one: { company_id: string }) => one.company_id)).not.toContain(world.rival.id)
    expect(ours[0]).toMatchObject({ id: world.acme.credentialId, name: 'Acme', api_key: world.acme.apiKey })
    const all = await run('credential', 'list', '--json')
    expect(all.stdout).toContain(world.rival.credentialId)
    expect(all.stdout).not.toMatch(/secret|digest|pas_/)
    const { stdout: shown } = await run('credential', 'list')
    expect(shown).not.toMatch(/pas_/)
    for (const name of ['Acme', 'Rival']) expect(shown).toMatch(new RegExp(`^[\\w-]{36}  ${name} `, 'm'))
  })

  test('revokes a credential, which the running server knows within a second', async () => {
    const { id, api_key } = await document('credential', 'create', '--company', 'Acme', '--name', 'Short-lived')
    expect(await statusWith(api_key)).toBe(200)
    expect(await document('credential', 'revoke', id)).toEqual({ id, revoked: true })
    await Bun.sleep(1000)
    expect(await statusWith(api_key)).toBe(401)
    expect(await statusWith(world.acme.apiKey)).toBe(200)
    const listed = await document('credential', 'list', '--company', 'Acme')
    const revoked = listed.find((one: { id: string }) => one.id === id)
    expect(Date.parse(revoked.revoked_at)).toBeGreaterThan(Date.now() - 120_000)
  })

  test('revokes by the key as well, and says when it was done before', async () => {
    const { id, api_key } = await document('credential', 'create', '--company', 'Acme', '--name', 'Leaked')
    expect(await document('credential', 'revoke', api_key)).toEqual({ id, revoked: true })
    const again = await run('credential', 'revoke', id)
    expect([again.exitCode, again.stdout]).toEqual([0, '"Leaked" was revoked before.\n'])
  })

  test('makes a bid that projects can be made in, and shows it', async () => {
    const made = await document('bid', 'create', '--company', world.acme.id, '--name', 'Tunnel')
    expect(made).toEqual({ id: expect.stringMatching(uuid), bid_name: 'Tunnel' })
    expect(await document('bid', 'list', '--company', 'Acme')).toContainEqual(made)
    expect(await document('bid', 'list', '--company', 'Rival')).toEqual([
      { id: world.rival.bid, bid_name: "Rival's bid" },
    ])
    expect((await world.acme.post('/project', { bid_id: made.id, project_name: 'Shaft' })).status).toBe(201)
    expect((await world.rival.post('/project', { bid_id: made.id, project_name: 'Shaft' })).status).toBe(409)
  })

  test('holds a bid to the rules of the API', async () => {
    expect(await complaint(1, 'bid', 'create', '--company', 'Acme', '--name', 'x'.repeat(256))).toContain('bid_name')
  })

  test('makes a credential that may only read', async () => {
    const made = await document('credential', 'create', '--company', 'Acme', '--name', 'Reader', '--access', 'read')
    expect(made.access).toBe('read')
    const headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ bid_id: world.acme.bid, project_name: 'Not allowed' })
    const answer = await fetch(`${service.base}/rest/v1/project`, { method: 'POST', headers, body })
    expect([answer.status, (await replyOf(answer)).json.code]).toEqual([403, 'insufficient_scope'])
  })

  test.each([
    ['90d', () => Date.now() + 90 * dayMs],
    ['12h', () => Date.now() + dayMs / 2],
    ['2999-01-31', () => Date.parse('2999-01-31')],
  ])('makes a credential that ends after %s', async (expires, expected) => {
    const made = await document('credential', 'create', '--company', 'Acme', '--name', 'Ends', '--expires', expires)
    expect(Math.abs(Date.parse(made.expires_at) - expected())).toBeLessThan(120_000)
    expect(await statusWith(made.api_key)).toBe(200)
  })

  test.each(['soon', '90', '0d', '-1d', '2001-01-01', '90 d', '99999999d'])('refuses --expires %s', async (expires) => {
    const args = ['credential', 'create', '--company', 'Acme', '--name', 'Never', `--expires=${expires}`]
    const said = await complaint(2, ...args)
    for (const word of ['--expires', '90d', expires]) expect(said).toContain(word)
  })

  test('makes a credential with a rate limit, and lists it', async () => {
    const args = ['credential', 'create', '--company', 'Acme', '--name', 'Careful', '--rate-limit', '1/m']
    const made = await document(...args)
    expect(made.rate_limit).toBe('1/m')
    expect([await statusWith(made.api_key), await statusWith(made.api_key)]).toEqual([200, 429])
    expect((await run('credential', 'list', '--company', 'Acme')).stdout).toMatch(/Careful .* 1\/m +active/)
  })

  test.each(['100', '0/s', '100/h', 'fast'])('refuses --rate-limit %s', async (rate) => {
    const args = ['credential', 'create', '--company', 'Acme', '--name', 'Never', `--rate-limit=${rate}`]
    const said = await complaint(2, ...args)
    for (const word of ['--rate-limit', '100/s', rate]) expect(said).toContain(word)
  })

  test('makes a credential with a narrow access, and lists it', async () => {
    const args = ['credential', 'create', '--company', 'Acme', '--name', 'Narrow', '--resources', 'project']
    const made = await document(...args, '--may', 'read,create', '--from', '127.0.0.0/8,::1')
    expect(made).toMatchObject({ access: 'read-write', may: ['read', 'create'], resources: ['project'] })
    expect(await statusWith(made.api_key)).toBe(200)
    const { stdout } = await run('credential', 'list', '--company', 'Acme')
    expect(stdout).toMatch(/Narrow .* read,create project from 127\.0\.0\.0\/8,::1/)
    for (const [flag, value] of [
      ['--resources', 'person'],
      ['--may', 'fly'],
      ['--from', '10.0.0.0/33'],
      ['--from', ''],
    ] as const)
      expect(await complaint(2, ...args.slice(0, 6), flag, value)).toContain(`${flag} has "${value}"`)
    const many = Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`).join(',')
    expect(await complaint(2, ...args, '--from', many)).toContain('--from has too many networks. Use at most 50')
  })

  test('refuses another access', async () => {
    const said = await complaint(2, 'credential', 'create', '--company', 'Acme', '--name', 'x', '--access', 'admin')
    for (const word of ['--access', 'read-write', 'admin']) expect(said).toContain(word)
  })

  test('refuses an unknown company, and says how to find or make one', async () => {
    for (const args of [
      ['credential', 'create', '--company', 'Nobody', '--name', 'x'],
      ['credential', 'list', '--company', 'Nobody'],
      ['bid', 'create', '--company', 'Nobody', '--name', 'x'],
      ['bid', 'list', '--company', 'Nobody'],
    ]) {
      const said = await complaint(1, ...args)
      for (const word of ['Nobody', 'company list', 'company create']) expect(said).toContain(word)
    }
  })

  test('refuses a name that two companies have, and shows their ids', async () => {
    const ids = [await document('company', 'create', 'Twin'), await document('company', 'create', 'Twin')]
    const said = await complaint(1, 'bid', 'list', '--company', 'Twin')
    for (const { id } of ids) expect(said).toContain(id)
    expect(await document('bid', 'list', '--company', ids[0].id)).toEqual([])
  })

  test('refuses to revoke what is not there', async () => {
    expect(await complaint(1, 'credential', 'revoke', world.acme.id)).toContain('credential list')
  })

  test.each(['', '   '])('refuses a company called "%s"', async (name) => {
    expect(await complaint(2, 'company', 'create', name)).toContain('name')
  })

  test.each(['', '   '])('refuses a credential called "%s"', async (name) => {
    const ended = await run('credential', 'create', '--company', 'Acme', `--name=${name}`)
    expect([ended.exitCode, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(/name/)
  })

  test('says in JSON what went wrong where JSON is wanted', async () => {
    const ended = await run('bid', 'list', '--company', 'Nobody', '--json')
    expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
    expect(JSON.parse(ended.stderr)).toEqual({ error: expect.stringContaining('Nobody') })
  })

  test('shows lists to people as tables', async () => {
    const { stdout } = await run('company', 'list')
    expect(stdout).toMatch(/^id +name +state\n/)
    expect(stdout).toMatch(new RegExp(`${world.acme.id}  Acme +active\n`))
  })
})

describe('a command that is written wrong', () => {
  // It must not come as far as the database.
  const run = (...args: string[]) => runProgram(args, { DATABASE_URL: join(tmpdir(), 'never-made', 'never.db') })

  const wrong: readonly [string, readonly string[], readonly string[]][] = [
    ['an unknown command', ['launch'], ['launch', 'serve', 'company create', 'bid list']],
    ['half a command', ['credential'], ['credential create', 'credential list', 'credential revoke']],
    ['an unknown half', ['company', 'delete'], ['company delete', 'company create', 'company list']],
    ['an unknown flag', ['company', 'list', '--colour'], ['--colour', '--help']],
    ['a flag without its value', ['bid', 'list', '--company'], ['--company', '--help']],
    ['a missing flag', ['bid', 'create', '--company', 'Acme'], ['--name', 'bid create', '--help']],
    ['a missing word', ['company', 'create'], ['NAME', 'company create', '--help']],
    ['a word too many', ['company', 'create', 'Two', 'Words'], ['NAME', '"Two" "Words"', 'quotes', '--help']],
    ['a word where none goes', ['serve', 'please'], ['serve', '--help']],
    ['a word that is neither of two', ['company', 'events', 'Acme', 'maybe'], ['on or off', 'maybe']],
  ]
  test.each(wrong)('is told about %s', async (_, args, words) => {
    const ended = await run(...args)
    expect([ended.exitCode, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(/^[^\n]+\.\n$/)
    for (const word of words) expect(ended.stderr).toContain(word)
  })
})

describe('a command', () => {
  test.each([
    [['company', 'create', 'Acme']],
    [['user', 'create', '--email', 'ada@example.com', '--name', 'Ada']],
    [['company', 'list']],
    [['credential', 'list']],
    [['credential', 'revoke', 'x']],
    [['bid', 'list', '--company', 'Acme']],
    [['user', 'reset-password', 'ada@example.com']],
  ])('makes no database where there is none: %p', async (args) => {
    const path = join(tmpdir(), `never-made-${Bun.randomUUIDv7()}.db`)
    const { exitCode, stdout, stderr } = await runProgram(args, { DATABASE_URL: path })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `There is no database file ${path}. Set DATABASE_URL to the file that the service uses, or start the service to create this one.\n`,
    )
    expect(existsSync(path)).toBe(false)
  })

  test.each(engines)('makes no tables where there are none ($name)', async (engine) => {
    const place = await engine.makePlace()
    if (engine.name === 'sqlite') writeFileSync(place.url, '')
    const { exitCode, stderr } = await runCli(['company', 'create', 'Acme'], { DATABASE_URL: place.url })
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/ has no tables .* Set DATABASE_URL to .*\.\n$/)])
    const again = await runCli(['company', 'list'], { DATABASE_URL: place.url })
    expect(again.stderr).toBe(stderr)
    await place.remove()
  })

  test('takes no name for a file that would not stay', async () => {
    for (const url of [':memory:', 'sqlite::memory:']) {
      const { exitCode, stderr } = await runProgram(['company', 'list'], { DATABASE_URL: url })
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL')])
    }
  })
})

describe('help', () => {
  const run = (...args: string[]) => runProgram(args, {})

  test('tells the version', async () => {
    expect(await runCli(['--version'], {})).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([[[]], [['--help']], [['-h']], [['help']]])('shows every command for %p', async (args) => {
    const { exitCode, stdout, stderr } = await run(...args)
    expect([exitCode, stderr]).toEqual([0, ''])
    for (const name of Object.keys(commands)) expect(stdout).toContain(name)
  })

  test.each(Object.entries(commands))(
    'tells about %s and all of its flags',
    async (name, { summary, flags, words }) => {
      const { exitCode, stdout, stderr } = await run(...name.split(' '), '--help')
      expect([exitCode, stderr]).toEqual([0, ''])
      for (const word of [name, summary, ...words, '--json']) expect(stdout).toContain(word)
      for (const flag of Object.keys(flags)) expect(stdout).toContain(`--${flag}`)
    },
  )
})
