import { beforeAll, expect, setSystemTime, test } from 'bun:test'
import { limitCredential, renameCredential, revokeCredential } from '../../src/keys/change.ts'
import { createCredential, listCredentials } from '../../src/keys/credentials.ts'
import { listLiveSecrets } from '../../src/keys/report.ts'
import { endSecret, rotateCredential } from '../../src/keys/rotate.ts'
import { digest } from '../../src/keys/token.ts'
import { commandLine } from '../../src/people/audit.ts'
import type { Database } from '../../src/store/database.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { withinOneHour } from '../support/one-hour.ts'
import { endAll, runCli } from '../support/service.ts'
import type { World } from '../support/world.ts'
import { auditOf, type Browser, behindProxy, outcome, signedIn } from './support.ts'

const hourMs = 3_600_000
const isAbout = (text: string, time: number) => expect(Date.parse(text)).toBeWithin(time - 60_000, time + 60_000)

/** What an application gets with a key and a secret: rows, none, or an error's status. */
async function opens({ base }: World, apikey: string, secret: string): Promise<'rows' | 'nothing' | number> {
  const response = await fetch(`${base}/rest/v1/project`, { headers: { apikey, 'X-API-Secret': secret } })
  if (response.status !== 200) return response.status
  return (await response.text()) === '[]' ? 'nothing' : 'rows'
}

onEachEngine(
  'credentials',
  (world) => {
    const people: { developer: Browser; viewer: Browser; owner: Browser; rival: Browser } = Object.create(null)
    beforeAll(async () => {
      people.developer = await signedIn(world, world.acme.id, 'developer', 'dev@acme.example')
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.owner = await signedIn(world, world.acme.id, 'owner')
      people.rival = await signedIn(world, world.rival.id, 'owner')
    }, 300_000)

    const make = async (more: object = {}) => {
      const sent = { name: 'Billing', access: 'read-write', expires_at: null, ...more }
      const { status, json } = await people.developer.post('/credentials', sent)
      expect(status).toBe(201)
      return json
    }
    const rotate = (id: string, grace_seconds?: number) =>
      people.developer.post(`/credentials/${id}/rotate`, grace_seconds === undefined ? {} : { grace_seconds })
    const show = async (id: string) => (await people.viewer.get(`/credentials/${id}`)).json

    test('one that was made works at once, and its secret is shown only then', async () => {
      const { api_secret, ...made } = await make()
      expect(made).toMatchObject({
        name: 'Billing',
        access: 'read-write',
        created_by: 'dev@acme.example',
        expires_at: null,
        revoked_at: null,
        exposed_at: null,
        rate_limit: null,
        resources: null,
        may: null,
        addresses: null,
        state: 'active',
        last_used: null,
      })
      expect(made.secrets).toMatchObject([{ expires_at: null, last_used_at: null, requests_24h: 0 }])
      expect(made.usage).toHaveLength(14)
      const { json: all, text } = await people.viewer.get('/credentials')
      expect(all[0]).toEqual(made)
      expect(await opens(world, made.api_key, api_secret)).toBe('rows')
      expect(text + JSON.stringify(await show(made.id)) + world.logged.join('')).not.toContain(api_secret)
      const stored = await world.db.read(sql`select digest from credential_secret where credential_id = ${made.id}`)
      expect(stored).toEqual([[digest(api_secret)]])
    })

    test('a read-only one reads and does not write', async () => {
      const { api_key, api_secret } = await make({ access: 'read' })
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      const headers = { apikey: api_key, 'X-API-Secret': api_secret, 'Content-Type': 'application/json' }
      const written = await fetch(`${world.base}/rest/v1/bid`, { method: 'POST', headers, body: '{"bid_name":"x"}' })
      expect(written.status).toBe(403)
    })

    test('one with an expiry ends by itself', async () => {
      const endsAt = Date.now() + hourMs
      const { id, api_key, api_secret, expires_at } = await make({ expires_at: new Date(endsAt).toISOString() })
      isAbout(expires_at, endsAt)
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      setSystemTime(endsAt + 1)
      try {
        expect(await opens(world, api_key, api_secret)).toBe(401)
        expect((await show(id)).state).toBe('expired')
        expect(outcome(await rotate(id))).toEqual([409, 'credential_ended'])
      } finally {
        setSystemTime()
      }
    })

    const unfit: readonly [string, object][] = [
      ['a blank name', { name: '  ' }],
      ['no name', { name: null }],
      ['a name that is too long', { name: 'x'.repeat(256) }],
      ['another access', { access: 'admin' }],
      ['an expiry that has passed', { expires_at: '2020-01-01T00:00:00Z' }],
      ['an expiry that is no time', { expires_at: 'soon' }],
      ['an expiry that is a number', { expires_at: 1 }],
      ['a rate that is none', { rate_limit: '100' }],
      ['a rate of nothing', { rate_limit: '0/s' }],
      ['a rate in days', { rate_limit: '100/d' }],
      ['a rate that is a number', { rate_limit: 100 }],
    ]
    for (const [name, more] of unfit) {
      test(`is not made with ${name}`, async () => {
        await world.usage.flush()
        const before = (await people.viewer.get('/credentials')).text
        const sent = { name: 'Billing', access: 'read', expires_at: null, ...more }
        expect(outcome(await people.developer.post('/credentials', sent))).toEqual([400, 'invalid_settings_body'])
        expect((await people.viewer.get('/credentials')).text).toBe(before)
      })
    }

    test('has the rate limit that it was made with, until a developer changes it', async () => {
      const { id, rate_limit, api_key, api_secret } = await make({ rate_limit: '2/m' })
      expect(rate_limit).toBe('2/m')
      const outcomes = [1, 2, 3].map(() => opens(world, api_key, api_secret))
      expect((await Promise.all(outcomes)).toSorted()).toEqual([429, 'rows', 'rows'])
      const change = (by: Browser, body: object) => by.patch(`/credentials/${id}`, body)
      expect((await change(people.developer, { rate_limit: '6000/m' })).json).toMatchObject({ rate_limit: '6000/m' })
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      expect((await change(people.developer, { name: 'New', rate_limit: null })).json).toMatchObject({
        name: 'New',
        rate_limit: null,
      })
      for (const body of [{ rate_limit: 'much' }, { rate_limit: 5 }, { rate_limit: '1/s', name: ' ' }, {}])
        expect(outcome(await change(people.developer, body))).toEqual([400, 'invalid_settings_body'])
      expect(outcome(await change(people.viewer, { rate_limit: '1/s' }))).toEqual([403, 'forbidden'])
      expect(outcome(await change(people.rival, { rate_limit: '1/s' }))).toEqual([404, 'credential_unknown'])
      expect((await show(id)).rate_limit).toBeNull()
      const events = await auditOf(world, world.acme.id, 'credential.limited')
      expect(events.map(({ actor, details }) => [actor, details.before, details.rate_limit])).toEqual([
        ['dev@acme.example', '2/m', '6000/m'],
        ['dev@acme.example', '6000/m', 'none'],
      ])
    })

    test('rotated, both secrets work in the grace, and the old one not after it', async () => {
      const { id, api_key, api_secret: old } = await make()
      const { status, json } = await rotate(id)
      expect(status).toBe(200)
      expect(json.secrets).toHaveLength(2)
      expect(json.secrets[0].expires_at).toBeNull()
      isAbout(json.secrets[1].expires_at, Date.now() + 24 * hourMs)
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
      expect(await opens(world, api_key, old)).toBe('rows')
      const past = new Date(Date.now() - 1000).toISOString()
      await world.db.transact([
        sql`update credential_secret set expires_at = ${past} where credential_id = ${id} and expires_at is not null`,
      ])
      await Bun.sleep(1100)
      expect(await opens(world, api_key, old)).toBe('nothing')
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
      expect((await show(id)).secrets).toHaveLength(1)
    })

    test('rotated without grace, the old secret ends at once', async () => {
      const { id, api_key, api_secret: old } = await make()
      expect(await opens(world, api_key, old)).toBe('rows')
      const { json } = await rotate(id, 0)
      expect(await opens(world, api_key, old)).toBe('nothing')
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
      expect(json.secrets).toHaveLength(1)
    })

    for (const [grace, hours] of [
      [3600, 1],
      [86_400, 24],
      [604_800, 168],
    ] as const) {
      test(`a grace of ${grace} seconds ends in ${hours} hours`, async () => {
        const { id } = await make()
        isAbout((await rotate(id, grace)).json.secrets[1].expires_at, Date.now() + hours * hourMs)
      })
    }

    test('a grace never outlives the credential, nor lengthens the life of the old secret', async () => {
      const expires_at = new Date(Date.now() + hourMs / 2).toISOString()
      const ending = await make({ expires_at })
      const { json } = await rotate(ending.id, 604_800)
      expect(json.secrets[1].expires_at).toBe(json.expires_at)
      const short = await make()
      const soon = new Date(Date.now() + hourMs / 6).toISOString()
      await world.db.transact([
        sql`update credential_secret set expires_at = ${soon} where credential_id = ${short.id}`,
      ])
      expect(Date.parse((await rotate(short.id, 604_800)).json.secrets[1].expires_at)).toBe(Date.parse(soon))
    })

    test('another grace is refused', async () => {
      const { id } = await make()
      for (const grace of [-1, 1, 60, 1e9, '3600', null]) {
        const reply = await people.developer.post(`/credentials/${id}/rotate`, { grace_seconds: grace })
        if (grace !== null) expect(outcome(reply)).toEqual([400, 'invalid_settings_body'])
      }
    })

    test('is replaced at once without a grace, even while a rotation is under way', async () => {
      const { id, api_key, api_secret: first } = await make()
      const { api_secret: second } = (await rotate(id, 3600)).json
      const { status, json } = await rotate(id, 0)
      expect(status).toBe(200)
      expect((await show(id)).secrets).toHaveLength(1)
      for (const old of [first, second]) expect(await opens(world, api_key, old)).not.toBe('rows')
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
    })

    test('has at most two live secrets, also when several rotate it at once', async () => {
      const { id } = await make()
      const replies = await Promise.all(Array.from({ length: 5 }, () => rotate(id, 3600)))
      expect(replies.map(outcome).toSorted((a, b) => a[0] - b[0])).toEqual([
        [200, undefined],
        ...Array.from({ length: 4 }, (): [number, string] => [409, 'two_secrets_live']),
      ])
      expect((await show(id)).secrets).toHaveLength(2)
      expect(await auditOf(world, world.acme.id, 'credential.rotated')).not.toHaveLength(0)
    })

    test('a new secret can be discarded: the old one goes on for good, and can be rotated again', async () => {
      const { id, api_key, api_secret: old } = await make()
      const { json } = await rotate(id, 3600)
      const [young, elder] = json.secrets
      const kept = await people.developer.delete(`/credentials/${id}/secrets/${young.id}`)
      expect(kept.json.secrets).toMatchObject([{ id: elder.id, expires_at: null }])
      expect(await opens(world, api_key, json.api_secret)).toBe('nothing')
      expect(await opens(world, api_key, old)).toBe('rows')
      expect((await rotate(id, 3600)).json.secrets).toHaveLength(2)
    })

    test('an old secret can be ended before its time, the only live one not', async () => {
      const { id, api_key, api_secret: old } = await make()
      const { json } = await rotate(id, 604_800)
      const [young, elder] = json.secrets
      const path = (secret: string) => `/credentials/${id}/secrets/${secret}`
      expect((await people.developer.delete(path(elder.id))).json.secrets).toMatchObject([{ id: young.id }])
      expect(await opens(world, api_key, old)).toBe('nothing')
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
      expect(outcome(await people.developer.delete(path(elder.id)))).toEqual([404, 'secret_unknown'])
      expect(outcome(await people.developer.delete(path(young.id)))).toEqual([409, 'last_secret'])
      expect(await opens(world, api_key, json.api_secret)).toBe('rows')
    })

    test('revoked, it ends at once and for good', async () => {
      const { id, api_key, api_secret } = await make()
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      const { status, json } = await people.developer.post(`/credentials/${id}/revoke`)
      expect([status, json.state]).toEqual([200, 'revoked'])
      expect(await opens(world, api_key, api_secret)).toBe(401)
      const again = await people.developer.post(`/credentials/${id}/revoke`)
      expect([again.status, again.json.revoked_at]).toEqual([200, json.revoked_at])
      expect(outcome(await rotate(id))).toEqual([409, 'credential_ended'])
    })

    test('renamed, it is the same in all else', async () => {
      const { id, api_key, api_secret } = await make()
      const { json } = await people.developer.patch(`/credentials/${id}`, { name: ' Accounts ' })
      expect([json.name, json.api_key]).toEqual(['Accounts', api_key])
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      expect(outcome(await people.developer.patch(`/credentials/${id}`, { name: '' }))[0]).toBe(400)
    })

    test('every change is in the audit log, with who and from where, and without the secret', async () => {
      const { id, api_secret } = await make({ name: 'Audited' })
      await people.developer.patch(`/credentials/${id}`, { name: 'Audited well' })
      const { json: rotated } = await rotate(id)
      await people.developer.delete(`/credentials/${id}/secrets/${rotated.secrets[1].id}`)
      await people.owner.post(`/credentials/${id}/revoke`)
      await people.owner.post(`/credentials/${id}/revoke`)
      const actions = ['created', 'renamed', 'rotated', 'secret_ended', 'revoked']
      const events = await Promise.all(actions.map((action) => auditOf(world, world.acme.id, `credential.${action}`)))
      const own = events.map((list) => list.filter(({ details }) => details.credential_id === id))
      expect(own.map((list) => list.length)).toEqual([1, 1, 1, 1, 1])
      expect(own[0]?.[0]).toMatchObject({
        actor: 'dev@acme.example',
        target: 'Audited',
        address: people.developer.address,
        userAgent: 'test',
        details: { access: 'read-write', expires_at: null },
      })
      expect(own[1]?.[0]).toMatchObject({ target: 'Audited well', details: { before: 'Audited' } })
      expect(own[2]?.[0]?.details).toMatchObject({ grace_seconds: 86_400 })
      expect(JSON.stringify(events)).not.toContain(api_secret)
      expect(JSON.stringify(events)).not.toContain(rotated.api_secret)
      expect(JSON.stringify(events)).not.toContain(digest(api_secret))
    })

    test('one that is seen in a browser is marked and recorded once', async () => {
      const { id, api_key, api_secret } = await make()
      const headers = { apikey: api_key, 'X-API-Secret': api_secret, 'Sec-Fetch-Site': 'cross-site' }
      for (let times = 0; times < 3; times += 1) await fetch(`${world.base}/rest/v1/project`, { headers })
      isAbout((await show(id)).exposed_at, Date.now())
      const events = await auditOf(world, world.acme.id, 'credential.exposed')
      expect(events.filter(({ details }) => details.credential_id === id)).toMatchObject([{ actor: 'the service' }])
    })

    test('a viewer sees credentials and changes none', async () => {
      const { id, secrets } = await make()
      await rotate(id, 3600)
      const before = JSON.stringify(await show(id))
      const replies = [
        await people.viewer.post('/credentials', { name: 'Mine', access: 'read', expires_at: null }),
        await people.viewer.patch(`/credentials/${id}`, { name: 'Mine' }),
        await people.viewer.post(`/credentials/${id}/rotate`, { grace_seconds: 0 }),
        await people.viewer.post(`/credentials/${id}/revoke`),
        await people.viewer.delete(`/credentials/${id}/secrets/${secrets[0].id}`),
      ]
      expect(replies.map(outcome)).toEqual(replies.map(() => [403, 'forbidden']))
      expect(JSON.stringify(await show(id))).toBe(before)
    })

    test('has its access narrowed, and its expiry moved, which the log tells', async () => {
      const { id } = await make({ may: ['read'], resources: ['project'], addresses: [' 10.0.0.0/8 ', '2001:DB8::/32'] })
      const narrowed = {
        access: 'read',
        may: ['read'],
        resources: ['project'],
        addresses: ['10.0.0.0/8', '2001:db8::/32'],
      }
      expect(await show(id)).toMatchObject(narrowed)
      const change = (by: Browser, body: object) => by.patch(`/credentials/${id}`, body)
      const wide = { access: 'read-write', may: null, resources: null, addresses: null }
      const wider = { may: ['change', 'create'], resources: ['project', 'bid'], addresses: [] }
      expect((await change(people.developer, wider)).json).toMatchObject({
        ...{ access: 'read-write', may: ['create', 'change'], addresses: null },
        resources: expect.arrayContaining(['bid', 'project']),
      })
      const all = { access: 'read-write', resources: null }
      expect((await change(people.developer, all)).json).toMatchObject(wide)
      const expires_at = '2099-01-31T12:00:00+00:00'
      expect((await change(people.developer, { expires_at })).json).toMatchObject({ ...wide, expires_at })
      expect((await change(people.developer, { expires_at: null })).json.expires_at).toBeNull()
      for (const body of [
        { may: [] },
        { may: ['fly'] },
        { may: 'read' },
        { access: 'read', resources: [] },
        { access: 'read', resources: ['person'] },
        { access: 'read', addresses: ['10.0.0.0/33'] },
        { access: 'read', addresses: ['example.com'] },
        { expires_at: '2020-01-01T00:00:00Z' },
      ])
        expect([body, ...outcome(await change(people.developer, body))]).toEqual([body, 400, 'invalid_settings_body'])
      expect(outcome(await change(people.viewer, { access: 'read' }))).toEqual([403, 'forbidden'])
      expect(outcome(await change(people.rival, { access: 'read' }))).toEqual([404, 'credential_unknown'])
      expect(await show(id)).toMatchObject(wide)
      expect(await auditOf(world, world.acme.id, 'credential.access_changed')).toHaveLength(2)
      const moved = await auditOf(world, world.acme.id, 'credential.expiry_changed')
      expect(moved.map(({ details }) => details.expires_at)).toEqual([expires_at, 'never'])
    })

    test('keeps the limits that a change does not name', async () => {
      const limits = { resources: ['bid'], addresses: ['10.0.0.0/8'] }
      const { id } = await make({ access: 'read-write', ...limits })
      const change = async (body: object) => (await people.developer.patch(`/credentials/${id}`, body)).json
      expect(await change({ may: ['read'] })).toMatchObject({ ...limits, access: 'read', may: ['read'] })
      expect(await change({ resources: ['project'] })).toMatchObject({
        ...{ access: 'read', may: ['read'], resources: ['project'], addresses: limits.addresses },
      })
      expect(await change({ access: 'read-write' })).toMatchObject({ access: 'read-write', may: null })
      expect(await change({ addresses: null })).toMatchObject({ resources: ['project'], addresses: null })
    })

    test("another company's credential is as one that does not exist", async () => {
      const { id, secrets } = await make()
      const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
      const attempts = async (target: string) => [
        await people.rival.get(`/credentials/${target}`),
        await people.rival.patch(`/credentials/${target}`, { name: 'Taken' }),
        await people.rival.post(`/credentials/${target}/rotate`, { grace_seconds: 0 }),
        await people.rival.post(`/credentials/${target}/revoke`),
        await people.rival.delete(`/credentials/${target}/secrets/${secrets[0].id}`),
      ]
      const before = JSON.stringify(await show(id))
      const texts = (await attempts(id)).map(({ status, text }) => [status, text])
      expect(texts).toEqual((await attempts(nobody)).map(({ status, text }) => [status, text]))
      expect(texts.map(([status]) => status)).toEqual([404, 404, 404, 404, 404])
      expect(JSON.stringify(await show(id))).toBe(before)
    })

    test('shows what it was used for', async () => {
      await withinOneHour()
      const { id, api_key, api_secret } = await make()
      await opens(world, api_key, api_secret)
      await opens(world, api_key, api_secret)
      await opens(world, api_key, 'wrong')
      await world.usage.flush()
      const shown = await show(id)
      expect(shown.usage.at(-1)).toMatchObject({ ok: 2, refused: 0, not_scoped: 1 })
      expect(shown.usage.at(-1).day).toBe(new Date().toISOString().slice(0, 10))
      expect(shown.secrets[0]).toMatchObject({ requests_24h: 2 })
      isAbout(shown.secrets[0].last_used_at, Date.now())
      isAbout(shown.last_used.at, Date.now())
      expect(shown.usage_by_hour).toMatchObject([
        { secret_id: '', outcome: 'not_scoped', requests: 1 },
        { secret_id: shown.secrets[0].id, outcome: 'ok', requests: 2 },
      ])
    }, 300_000)

    test('counts the requests of 24 hours with all of its secrets, also after a rotation', async () => {
      const { id, api_key, api_secret } = await make()
      await opens(world, api_key, api_secret)
      await opens(world, api_key, api_secret)
      const { json: rotated } = await people.owner.post(`/credentials/${id}/rotate`, { grace_seconds: 0 })
      await opens(world, api_key, rotated.api_secret)
      await world.usage.flush()
      const shown = await show(id)
      expect(shown.secrets).toMatchObject([{ requests_24h: 1 }])
      expect(shown.requests_24h).toBe(3)
    })

    test('keeps both of two changes of its access that are made at the same time', async () => {
      for (let times = 0; times < 10; times += 1) {
        const { id } = await make()
        const changed = await Promise.all([
          people.owner.patch(`/credentials/${id}`, { may: ['read'] }),
          people.owner.patch(`/credentials/${id}`, { addresses: ['10.0.0.0/8'] }),
        ])
        expect(changed.map(({ status }) => status)).toEqual([200, 200])
        expect(await show(id)).toMatchObject({ may: ['read'], addresses: ['10.0.0.0/8'] })
      }
    })

    test('rotates on the command line, which the audit log says', async () => {
      const { id, api_key, api_secret: old } = await make()
      const run = (...args: string[]) => runCli(['credential', ...args], { DATABASE_URL: world.databaseUrl })
      const { stdout, exitCode } = await run('rotate', id, '--grace', '1h', '--json')
      const { api_secret, grace_seconds } = JSON.parse(stdout)
      expect([exitCode, grace_seconds]).toEqual([0, 3600])
      expect(await opens(world, api_key, api_secret)).toBe('rows')
      expect(await opens(world, api_key, old)).toBe('rows')
      const third = await run('rotate', id)
      expect([third.exitCode, third.stderr]).toEqual([1, expect.stringContaining('two live secrets')])
      expect((await run('rotate', id, '--grace', '2h')).exitCode).toBe(2)
      expect((await run('revoke', id)).exitCode).toBe(0)
      for (const action of ['rotated', 'revoked']) {
        const events = await auditOf(world, world.acme.id, `credential.${action}`)
        expect(events.filter(({ details }) => details.credential_id === id)).toMatchObject([{ actor: 'command line' }])
      }
      await endAll()
    }, 300_000)

    /** The database, but for the audit log, which takes nothing. */
    const unaudited = (db: Database): Database => ({
      ...db,
      forCompany: (companyId) => {
        const own = db.forCompany(companyId)
        const broken = (statement: Sql) =>
          statement.texts.join('').includes('audit_event') ? sql`insert into no_such_table values (1)` : statement
        return { ...own, transact: (statements, check) => own.transact(statements.map(broken), check) }
      },
    })

    test('nothing is changed that cannot be recorded', async () => {
      const { id } = await make()
      await rotate(id, 3600)
      const ref = { companyId: world.acme.id, id }
      const own = world.db.forCompany(world.acme.id)
      const all = async () =>
        JSON.stringify([await listCredentials(world.db, world.acme.id), await listLiveSecrets(own, null, new Date())])
      const before = await all()
      const db = unaudited(world.db)
      const [secret] = await listLiveSecrets(own, sql`${id}`, new Date())
      const single = await make()
      const beforeSingle = await all()
      const attempts = [
        () => createCredential(db, { ...ref, name: 'x', access: 'read', expiresAt: null }),
        () => renameCredential(db, ref, 'x', commandLine),
        () => limitCredential(db, ref, '1/s', commandLine),
        () => endSecret(db, ref, secret?.id ?? '', commandLine),
        () => rotateCredential(db, { ...ref, id: single.id }, { graceSeconds: 0, by: commandLine }),
        () => revokeCredential(db, ref),
      ]
      for (const attempt of attempts) {
        expect(
          await attempt().then(
            () => 'done',
            () => 'refused',
          ),
        ).toBe('refused')
        expect(await all()).toBe(beforeSingle)
      }
      expect(before).not.toBe(beforeSingle)
    })
  },
  behindProxy,
)
