import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { version } from '../../package.json'
import { engines, type Place } from '../support/engines.ts'
import { endAll, runCli, type Service, startService } from '../support/service.ts'
import { replyOf } from '../support/world.ts'
import { type KeptCompany, openProgram, readProgram, readRelease, restoreRelease } from './release.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const release = readRelease()
const program = openProgram(readProgram())
afterAll(program.remove)

test('the release that is kept is not this version', () => {
  expect(release.version).not.toBe(version)
})

// The tests of one engine are steps of one story, in this order.
describe.each(engines)(`a database of ${release.version} ($name)`, (engine) => {
  const [acme, rival] = release.companies[engine.name]
  if (!acme || !rival) throw new Error('The release has no companies')
  let place: Place
  let env: { readonly DATABASE_URL: string; readonly DEMO: string }
  let before: Service
  let now: Service

  beforeAll(async () => {
    place = await engine.makePlace()
    env = { DATABASE_URL: place.url, DEMO: 'off' }
    await restoreRelease(engine.name, place.url)
  })
  afterAll(async () => {
    await endAll()
    await place.remove()
  })

  test('is served by its release as it was kept', async () => {
    before = await program.start(env)
    expect(before.banner).toContain(`Project API ${release.version},`)
    for (const company of [acme, rival]) await expectKept(before, company)
  })

  test('is served by this version while instances of its release go on', async () => {
    now = await startService(env)
    expect(now.banner).toContain(`Project API ${version},`)
    for (const service of [now, before]) {
      for (const company of [acme, rival]) await expectKept(service, company)
    }
  })

  test('takes rows from both, which the other one shows and no other company', async () => {
    for (const [writer, reader] of [
      [before, now],
      [now, before],
    ] as const) {
      const { id, status } = await create(writer, acme, `By ${writer.banner.slice(1, 18)}`)
      expect(status).toBe(201)
      const path = `/project?id=eq.${id}`
      const [own, other] = [await get(writer, acme, path), await get(reader, acme, path)]
      expect(other).toEqual(own)
      expect(JSON.parse(own.text)).toHaveLength(1)
      expect((await get(reader, rival, path)).text).toBe('[]')
    }
  })

  test('does a write with an Idempotency-Key once, whichever version gets it again', async () => {
    for (const [first, second] of [
      [before, now],
      [now, before],
    ] as const) {
      const key = Bun.randomUUIDv7()
      const done = await create(first, acme, 'Only once', key)
      const again = await create(second, acme, 'Only once', key)
      expect([done.status, again.status, again.isReplayed, again.text]).toEqual([201, 201, true, done.text])
    }
  })

  test('lets people sign in, and refuses what was revoked', async () => {
    for (const service of [now, before]) {
      const { status, text } = await signIn(service, acme)
      expect([status, text]).toEqual([200, expect.stringContaining(acme.email)])
      expect((await signIn(service, { ...acme, password: rival.password })).status).toBe(401)
      const revoked = await fetch(`${service.base}/rest/v1/project`, { headers: { apikey: acme.revokedKey } })
      expect(revoked.status).toBe(401)
    }
  })

  test('is sound for the doctor of this version', async () => {
    const { exitCode, stdout } = await runCli(['doctor', '--full', '--json'], env)
    const problems = JSON.parse(stdout).checks.filter(({ state }: { state: string }) => state === 'problem')
    // The server of the tests does not sync its files.
    expect(problems.filter(({ name }: { name: string }) => name !== 'fsync')).toEqual([])
    expect(exitCode).toBe(problems.length === 0 ? 0 : 1)
  })

  test('goes on with this version alone, and then back with its release alone, without a restore', async () => {
    expect(await before.stop()).toBe(0)
    expect((await create(now, acme, 'After the update')).status).toBe(201)
    const written = await get(now, acme, everything)
    expect(await now.stop()).toBe(0)

    before = await program.start(env)
    expect((await get(before, acme, everything)).text).toBe(written.text)
    expect((await create(before, acme, 'After the way back')).status).toBe(201)
    await expectKept(before, rival)
    expect(await before.stop()).toBe(0)

    now = await startService(env)
    const rows = JSON.parse((await get(now, acme, everything)).text)
    expect(rows).toHaveLength(JSON.parse(written.text).length + 1)
    await expectKept(now, rival)
    expect(await now.stop()).toBe(0)
  })
})

const everything = '/project?select=id,bid_id,project_name,created_at,updated_at&order=id'

/** All that the company could read before, and nothing else; with the rights that its credentials had. */
async function expectKept(service: Service, company: KeptCompany): Promise<void> {
  for (const [path, text] of Object.entries(company.answers)) {
    expect(await get(service, company, path)).toEqual({ status: 200, text })
  }
  const [path = '', text] = Object.entries(company.answers)[0] ?? []
  expect(await get(service, { headers: company.readOnlyHeaders }, path)).toEqual({ status: 200, text: text ?? '' })
  const readOnly = await create(service, { ...company, headers: company.readOnlyHeaders }, 'Not allowed')
  expect([readOnly.status, readOnly.text]).toEqual([403, expect.stringContaining('insufficient_scope')])
}

async function get({ base }: Service, { headers }: Pick<KeptCompany, 'headers'>, path: string) {
  const { status, text } = await replyOf(await fetch(`${base}/rest/v1${path}`, { headers }))
  return { status, text }
}

async function create(
  { base }: Service,
  { headers, bidId }: KeptCompany,
  project_name: string,
  key = Bun.randomUUIDv7(),
) {
  const answer = await replyOf(
    await fetch(`${base}/rest/v1/project`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ bid_id: bidId, project_name }),
    }),
  )
  const { status, text, json } = answer
  return { status, text, id: json.id, isReplayed: answer.headers.get('Idempotent-Replayed') === 'true' }
}

async function signIn({ base }: Service, { email, password }: KeptCompany) {
  const headers = { Origin: base, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email, password })
  return replyOf(await fetch(`${base}/api/auth/sign-in/email`, { method: 'POST', headers, body }))
}
