import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomInt } from 'node:crypto'
import { archiveField } from '../../src/fields/change-field.ts'
import { createField, listFields } from '../../src/fields/fields.ts'
import { commandLine } from '../../src/people/audit.ts'
import { startDeletion } from '../../src/people/end-company.ts'
import { createInvitation } from '../../src/people/invitations.ts'
import type { SettingsRoute } from '../../src/settings/context.ts'
import { settingsRoutes } from '../../src/settings/route.ts'
import { keyword, sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { engines } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { World } from '../support/world.ts'
import { endpointTo } from '../webhooks/support.ts'
import { anotherSession, authSecret, Gate, holdBody, type RawRequest, type Signed, signedInQuickly } from './held.ts'
import { PasskeyDevice } from './passkey-device.ts'
import { addPasskey, namedSite } from './passkey-support.ts'
import { Authenticator, newEmail, password, setUpTwoFactor } from './support.ts'

/** Whoever asks for these needs no right that could end: they bring a password or a token, or end their own session. */
const needNoRight = [
  ...['sign-up/email', 'sign-in/email', 'sign-out', 'request-password-reset', 'reset-password'],
  ...['two-factor/verify-totp', 'two-factor/verify-backup-code', 'sign-in/social', 'passkey/start', 'passkey/sign-in'],
].map((path) => `POST /api/auth/${path}`)
/** Without mail, nobody can ask for another address; whoever confirms one brings a token. */
const aboutAddresses = ['POST /api/account/email', 'POST /api/account/email/confirm']
/** Has something to do only while a company is about to be deleted, when nobody can end the right of another. */
const aboutEnding = ['POST /api/company/restore']
const named = ({ method, path }: Pick<SettingsRoute, 'method' | 'path'>) => `${method} ${path}`
/** They send to a receiver, or send again what was sent before. */
const aboutSending = ['test', 'replay', 'deliveries/:event/replay'].map((path) => `POST /api/webhooks/:id/${path}`)
/** They look at a file or a link, and write nothing. */
const onlyLook = [
  ...['import/:resource/preview', 'import/:resource/check', 'links/reset-password', 'links/confirm-email'],
].map((path) => `POST /api/${path}`)
const writing = settingsRoutes.filter(
  (one) =>
    !['GET', 'HEAD'].includes(one.method) &&
    ![...needNoRight, ...aboutAddresses, ...aboutEnding, ...onlyLook, ...aboutSending].includes(named(one)),
)
/** These begin without waiting for a body, so that there is nothing to hold. */
const needNoBody = (route: SettingsRoute) =>
  route.method === 'DELETE' || /\/(revoke|accept|archive|restore|revoke-other-sessions)$/.test(route.path)

interface Scene {
  readonly world: World
  readonly actor: Signed
  /** Another owner of the same company. */
  readonly other: Signed
}

/** Each ends the right of the actor; false where it leaves the right to this route. */
const endings: Readonly<Record<string, (scene: Scene, route: SettingsRoute) => Promise<false | undefined>>> = {
  removed: async ({ actor, other }, { role }) => {
    // Whoever is removed from a company stays signed in.
    if (role === 'person' || role === 'public') return false
    expect((await other.browser.delete(`/members/${actor.personId}`)).status).toBe(204)
    return undefined
  },
  demoted: async ({ actor, other }, { role }) => {
    if (role === 'person' || role === 'public') return false
    expect((await other.browser.patch(`/members/${actor.personId}`, { role: 'viewer' })).status).toBe(200)
    return undefined
  },
  'in a company that is about to be deleted': async ({ world: { db, acme } }, { role, worksOnEnding }) => {
    if (role === 'person' || role === 'public' || worksOnEnding) return false
    await startDeletion(db, commandLine, { id: acme.id, name: 'Acme' })
    return undefined
  },
  'signed out': async ({ world, actor }) => {
    const same = Object.assign((await anotherSession(world.db, world.base, actor.personId)).browser, {
      cookie: actor.browser.cookie,
    })
    expect((await same.signOut()).status).toBe(200)
    return undefined
  },
  'signed out elsewhere': async ({ world, actor }) => {
    const { browser } = await anotherSession(world.db, world.base, actor.personId)
    expect((await browser.delete(`/sessions/${actor.sessionId}`)).status).toBe(204)
    return undefined
  },
  expired: async ({ world, actor }) => {
    await world.db.transact([
      sql`update session set expires_at = '2026-01-01T00:00:00+00:00' where id = ${actor.sessionId}`,
    ])
    return undefined
  },
  'given another password': async ({ world, actor }) => {
    const { browser } = await anotherSession(world.db, world.base, actor.personId)
    const body = { currentPassword: password, newPassword: 'quite another one', revokeOtherSessions: true }
    expect((await browser.post('/auth/change-password', body)).status).toBe(200)
    return undefined
  },
}

/** A request that is done, unless the right to it has ended. */
async function requestFor({ world, actor }: Scene, { method, path }: SettingsRoute): Promise<RawRequest> {
  const { acme, rival } = world
  const ids: Readonly<Record<string, () => Promise<string>>> = {
    account: async () => acme.id,
    members: async () => (await signedInQuickly(world, acme.id, 'viewer')).personId,
    invitations: async () => (await invitationTo(world, acme.id, newEmail())).id,
    sessions: async () => (await anotherSession(world.db, world.base, actor.personId)).sessionId,
    credentials: async () => (await acme.withCredential('read')).credentialId,
    fields: () => fieldOf(world, path),
    passkeys: () => passkeyOf(actor),
    webhooks: async () => (await endpointTo(world.db, acme.id, 'https://example.com/hook')).id,
  }
  const [, , kind = ''] = path.split('/')
  if (path.endsWith('/revoke-other-sessions')) await anotherSession(world.db, world.base, actor.personId)
  const id = path.includes(':id') ? ((await ids[kind]?.()) ?? '') : ''
  const token = path.includes(':token') ? (await invitationTo(world, rival.id, actor.email)).token : ''
  const secret = path.includes(':secret') ? await secondSecret(world, id) : ''
  const isRows = path.startsWith('/api/rest/')
  const filled = path.slice('/api'.length).replace(':id', id).replace(':token', token).replace(':secret', secret)
  const row = Bun.randomUUIDv7()
  const query = isRows && method !== 'POST' ? `?id=eq.${method === 'PUT' ? row : acme.bid}` : ''
  if (isRows && method === 'DELETE') {
    const made = (await acme.post('/bid', { bid_name: 'To be deleted' })).json.id
    return { method, path: `/rest/bid?id=eq.${made}`, body: '' }
  }
  const part = kind === 'import' ? { text: `Held ${row}\n`, delimiter: ',', columns: ['bid_name'], first: 1 } : null
  const field = kind === 'fields' ? await fieldBody(world, { method, path }) : null
  const body = isRows
    ? { bid_name: `Held ${row}`, ...(method === 'PUT' ? { id: row } : {}) }
    : (part ??
      field ?? {
        ...{ name: `Held ${row}`, role: 'developer', email: newEmail(), access: 'read', grace_seconds: 0 },
        ...(named({ method, path }) === 'POST /api/members' ? { person_id: await knownTo(world, actor) } : {}),
        ...{ company_id: acme.id, currentPassword: password, newPassword: 'the held password' },
        ...(path === '/api/account/delete' ? { email: actor.email } : {}),
        ...(path === '/api/company/transfer' ? { person_id: await ids.members?.() } : {}),
        ...(path === '/api/company/delete' ? { name: await nameOfAcme(world) } : {}),
        ...{ password, code: await codeFor(actor, path), required: false, on: false },
        ...(path === '/api/passkeys' ? { credential: await newPasskey(actor) } : {}),
        ...(kind === 'webhooks' ? { url: `https://example.com/${row}` } : {}),
      })
  return {
    method,
    path: filled.replace(':resource', 'bid') + query,
    body: method === 'DELETE' ? '' : JSON.stringify(body),
  }
}

const newField = (resource: string) => ({ resource, name: `f${randomInt(1e12)}`, type: 'integer' })

/** A field that the request to this path would change. */
async function fieldOf({ db, acme }: World, path: string): Promise<string> {
  const { id } = await createField(db, acme.id, newField('project'))
  if (path.endsWith('/restore')) await archiveField(db, { companyId: acme.id, id })
  return id
}

async function fieldBody({ db, acme }: World, route: Pick<SettingsRoute, 'method' | 'path'>): Promise<object> {
  if (route.method === 'PATCH') return { label: 'Held' }
  if (!route.path.endsWith('/order')) return newField('bid')
  for (let made = 0; made < 2; made += 1) await createField(db, acme.id, newField('bid'))
  const fields = (await listFields(db, acme.id)).filter(({ resource }) => resource === 'bid')
  return { resource: 'bid', ids: fields.map(({ id }) => id).reverse() }
}

async function nameOfAcme({ db, acme }: World): Promise<string> {
  const [[name] = []] = await db.read(sql`select name from company where id = ${acme.id}`)
  return String(name)
}

/** Brings the actor to where the route about two factors has something to do. */
async function codeFor({ browser }: Signed, path: string): Promise<string> {
  if (/\/two-factor\/(recovery-codes|turn-off)$/.test(path)) await setUpTwoFactor(browser)
  if (!path.endsWith('/two-factor/confirm')) return ''
  return new Authenticator((await browser.post('/two-factor/start', { password })).json.key).next()
}

async function newPasskey({ browser }: Signed) {
  const { json } = await browser.post('/passkeys/start', { password })
  return new PasskeyDevice(namedSite.BASE_URL).create(json)
}

async function passkeyOf({ browser }: Signed): Promise<string> {
  await addPasskey(browser)
  return (await browser.get('/passkeys')).json[0].id
}

/** Somebody in another company that the actor owns. */
async function knownTo(world: World, actor: Signed): Promise<string> {
  const [id, now] = [Bun.randomUUIDv7(), timestampText(new Date())]
  await world.db.transact([
    sql`insert into company (id, name, created_at) values (${id}, 'Second', ${now})`,
    sql`insert into member (company_id, person_id, role, created_at) values (${id}, ${actor.personId}, 'owner', ${now})`,
  ])
  return (await signedInQuickly(world, id, 'viewer')).personId
}

async function invitationTo({ db }: World, companyId: string, email: string) {
  const [[invitedBy = ''] = []] = await db.read(
    sql`select person_id from member where company_id = ${companyId} and role = 'owner' limit 1`,
  )
  const { id, token } = await createInvitation(db, commandLine, {
    ...{ companyId, email, role: 'viewer', invitedBy: String(invitedBy) },
  })
  return { id, token }
}

/** A secret beside another one, which may be ended. */
async function secondSecret({ db }: World, credentialId: string): Promise<string> {
  const [id, now] = [Bun.randomUUIDv7(), '2026-01-01T00:00:00+00:00']
  await db.transact([
    sql`insert into credential_secret (credential_id, id, digest, created_at) values (${credentialId}, ${id}, ${id}, ${now})`,
  ])
  return id
}

const tables = [
  ...(['company', 'member', 'invitation', 'credential', 'credential_secret', 'account'] as const),
  ...(['bid', 'project', 'audit_event', 'field', 'person', 'two_factor', 'webhook_endpoint'] as const),
  ...(['passkey', 'verification'] as const),
]

/** A digest of all that a request of the settings page could change. Of sessions, only which there are and what they look at. */
async function stored({ db }: World): Promise<string> {
  const rows = await Promise.all([
    ...tables.map((table) => db.read(sql`select * from ${keyword(table)} order by 1, 2`)),
    db.read(sql`select id, company_id from session order by 1`),
  ])
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}

for (const engine of engines) {
  describe(`a held request (${engine.name})`, () => {
    const gate = new Gate()
    const world = new World({ ...namedSite, SIGNUP: 'open', AUTH_SECRET: authSecret }, (db) => gate.watch(db))
    let other: Signed
    let rival: Signed
    beforeAll(async () => {
      await world.open(engine)
      other = await signedInQuickly(world, world.acme.id, 'owner')
      rival = await signedInQuickly(world, world.rival.id, 'owner')
    }, 300_000)
    afterAll(() => world.close())

    const enter = async (): Promise<Scene> => {
      await world.db.transact([
        // An earlier request may have asked for the deletion of the company, or for no events.
        sql`update company set delete_after = null, events = 'on'`,
        // All that is stored is read twice for each request, so that what earlier ones have left would take most of the time.
        sql`delete from audit_event`,
        sql`delete from person where id not in (${other.personId}, ${rival.personId})`,
      ])
      return { world, other, actor: await signedInQuickly(world, world.acme.id, 'owner') }
    }

    for (const route of writing.filter((one) => !needNoBody(one))) {
      test(`${named(route)}: is done where the right goes on while its body is held, and else not`, async () => {
        for (const [name, end] of [['', null], ...Object.entries(endings)] as const) {
          const scene = await enter()
          const request = await requestFor(scene, route)
          const lookUps = gate.lookUps
          const held = holdBody(scene.actor.browser, request)
          await until(() => gate.lookUps > lookUps)
          const hasEnded = end !== null && (await end(scene, route)) !== false
          const before = await stored(world)
          held.send()
          const status = await held.answer
          held.close()
          if (hasEnded) {
            expect([name, [401, 403].includes(status), status]).toEqual([name, true, status])
            expect(await stored(world)).toBe(before)
          } else {
            expect([name, status < 300, status]).toEqual([name, true, status])
            expect(await stored(world)).not.toBe(before)
          }
        }
      }, 300_000)
    }

    for (const route of writing) {
      test(`${named(route)}: is done where the right goes on until its transaction, and else not`, async () => {
        for (const [name, end] of [['', null], ...Object.entries(endings)] as const) {
          // One by password takes long, and differs in nothing from the others here.
          if (name === 'given another password') continue
          const scene = await enter()
          const { method, path, body } = await requestFor(scene, route)
          const { reached, release } = gate.arm()
          const reply = scene.actor.browser.send(method, path, body === '' ? undefined : JSON.parse(body))
          await Promise.race([reached, reply])
          const hasEnded = end !== null && (await end(scene, route)) !== false
          const before = await stored(world)
          release()
          const { status } = await reply
          if (hasEnded) {
            expect([name, [401, 403].includes(status), status]).toEqual([name, true, status])
            expect(await stored(world)).toBe(before)
          } else {
            expect([name, status < 300, status]).toEqual([name, true, status])
            expect(await stored(world)).not.toBe(before)
          }
        }
      }, 300_000)
    }

    test('among many at once is done before the right has ended, or not at all', async () => {
      const count = async () => Number((await world.db.read(sql`select count(*) from credential`))[0]?.[0])
      for (const name of ['demoted', 'removed']) {
        const scene = await enter()
        const make = () => scene.actor.browser.post('/credentials', { name: 'Burst', access: 'read' })
        const before = await count()
        const replies = Array.from({ length: 40 }, make)
        await endings[name]?.(scene, {
          method: 'POST',
          path: '/api/credentials',
          role: 'developer',
          handle: Promise.reject,
        })
        const atEnd = await count()
        const made = (await Promise.all(replies)).filter(({ status }) => status === 201).length
        expect([name, await count(), atEnd - before]).toEqual([name, atEnd, made])
      }
    }, 300_000)

    test('of two owners who remove each other: one of them is done', async () => {
      for (let round = 0; round < 3; round += 1) {
        const pair = await Promise.all([1, 2].map(() => signedInQuickly(world, world.rival.id, 'owner')))
        const [one, two] = pair as [Signed, Signed]
        const replies = await Promise.all([
          one.browser.delete(`/members/${two.personId}`),
          two.browser.delete(`/members/${one.personId}`),
        ])
        expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
        const left = await world.db.read(
          sql`select person_id from member where person_id in (${one.personId}, ${two.personId})`,
        )
        expect(left).toHaveLength(1)
      }
    }, 300_000)
  })
}
