import { beforeAll, expect, test } from 'bun:test'
import type { SettingsRoute } from '../../src/settings/context.ts'
import { settingsRoutes } from '../../src/settings/route.ts'
import { keyword, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant, World } from '../support/world.ts'
import { type Browser, behindProxy, outcome, signedIn, visit } from './support.ts'

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
const ranks = { public: 0, person: 1, viewer: 2, developer: 3, owner: 4 } as const
const isRead = ({ method }: SettingsRoute) => method === 'GET' || method === 'HEAD'
const isAuth = ({ path }: SettingsRoute) => path.startsWith('/api/auth/')
const named = ({ method, path }: SettingsRoute) => `${method} ${path}`

/** Everything of acme that an id can stand for, so that a new route is tried with the right kind, too. */
interface Acme {
  readonly ids: readonly string[]
  readonly secrets: readonly string[]
  /** Texts that nobody else may ever be shown. */
  readonly canaries: readonly string[]
  readonly owner: Browser
}

async function prepare(world: World): Promise<Acme> {
  const { acme, db } = world
  const owner = await signedIn(world, acme.id, 'owner', 'owner@acme.example')
  await owner.post('/invitations', { email: 'guest@acme.example', role: 'viewer' })
  await owner.post('/fields', { resource: 'project', name: 'acme_secret_field', type: 'text' })
  await acme.get('/project?select=nothing')
  await world.requestLog.flush()
  const { json: webhook } = await owner.post('/webhooks', { url: 'https://acme.example/hook' })
  // Nothing answers there. The test event is kept all the same.
  await owner.post(`/webhooks/${webhook.id}/test`)
  const ids = async (
    text: 'invitation' | 'member' | 'credential' | 'request_log' | 'field' | 'webhook_endpoint' | 'webhook_delivery',
    column: 'id' | 'person_id' | 'event_id',
  ) =>
    (await db.read(sql`select ${keyword(column)} from ${keyword(text)} where company_id = ${acme.id}`))
      .flat()
      .map(String)
  const sessions = (await db.read(sql`select id from session`)).flat().map(String)
  const secrets = await db.read(sql`select id from credential_secret where credential_id = ${acme.credentialId}`)
  const all = [
    ...(await ids('webhook_delivery', 'event_id')),
    ...(await ids('invitation', 'id')),
    ...(await ids('member', 'person_id')),
    ...(await ids('credential', 'id')),
    ...(await ids('field', 'id')),
    ...(await ids('request_log', 'id')).slice(0, 2),
    ...(await ids('webhook_endpoint', 'id')),
    ...sessions,
    acme.bid,
    acme.project,
    acme.id,
  ]
  const known = [...all, ...secrets.flat().map(String)]
  return {
    ids: all,
    secrets: secrets.flat().map(String),
    canaries: [
      ...known,
      acme.apiKey,
      'Acme',
      'owner@acme.example',
      'guest@acme.example',
      'acme_secret_field',
      'acme.example/hook',
    ],
    owner,
  }
}

/** All that is stored of a company, and of its people. */
async function stored({ db }: World, { id }: Tenant): Promise<string> {
  const own = [
    'bid',
    'project',
    'credential',
    'member',
    'invitation',
    'audit_event',
    'credential_usage',
    'request_log',
    'field',
    ...webhookTables,
  ] as const
  const people = sql`(select person_id from member where company_id = ${id})`
  const parts = await Promise.all([
    ...own.map((table) => db.read(sql`select * from ${keyword(table)} where company_id = ${id} order by 1, 2`)),
    db.read(sql`select * from company where id = ${id}`),
    db.read(sql`select * from person where id in ${people} order by id`),
    db.read(sql`select * from account where person_id in ${people} order by id`),
    db.read(sql`select id, token, company_id, expires_at from session where person_id in ${people} order by id`),
    db.read(sql`
      select s.* from credential_secret s join credential c on c.id = s.credential_id
      where c.company_id = ${id} order by s.id`),
  ])
  return JSON.stringify(parts)
}

const webhookTables = ['webhook_endpoint', 'webhook_delivery', 'webhook_attempt', 'webhook_due'] as const

/** Every way to fill in the path of a route. */
function pathsOf({ path }: SettingsRoute, ids: readonly string[], secrets: readonly string[]): string[] {
  const fill = (paths: readonly string[], name: string, values: readonly string[]) =>
    paths.flatMap((one) => (one.includes(name) ? values.map((value) => one.replace(name, value)) : [one]))
  const start = [path.slice('/api'.length)]
  const withSecrets = fill(fill(fill(start, ':secret', secrets), ':id', ids), ':event', ids.slice(0, 2))
  return fill(fill(withSecrets, ':resource', ['bid', 'project']), ':token', ['x'.repeat(43)])
}

/** A body that every route finds its fields in, and acme's company where somebody might take it from there. */
function bodyOf(route: SettingsRoute, { acme }: World): unknown {
  if (isRead(route) || route.method === 'DELETE') return undefined
  if (route.path.startsWith('/api/rest/')) return { bid_name: 'Taken', company_id: acme.id }
  return {
    ...{ name: 'Taken', role: 'viewer', email: 'new@evil.example', access: 'read', expires_at: null },
    ...{ url: 'https://evil.example/hook', enabled: false, since: '2026-01-01T00:00:00Z' },
    ...{ company_id: acme.id, companyId: acme.id, grace_seconds: 0 },
    ...{ password: 'correct horse', newPassword: 'correct horse', currentPassword: 'wrong', token: 'x'.repeat(43) },
  }
}

onEachEngine(
  'the API of the settings page',
  (world) => {
    const known: { acme: Acme; rival: Browser; viewer: Browser; developer: Browser } = Object.create(null)
    beforeAll(async () => {
      known.viewer = await signedIn(world, world.acme.id, 'viewer', 'viewer@acme.example')
      known.developer = await signedIn(world, world.acme.id, 'developer', 'developer@acme.example')
      known.acme = await prepare(world)
      known.rival = await signedIn(world, world.rival.id, 'owner', 'owner@rival.example')
      await world.usage.flush()
    }, 300_000)

    const send = (browser: Browser, route: SettingsRoute, path: string, headers = {}): Promise<Reply> =>
      browser.send(route.method, path, bodyOf(route, world), headers)

    /** Every way to ask for a route, as somebody; acme's rows stay as they are. */
    const sendAll = async (browser: Browser, route: SettingsRoute, headers = {}): Promise<Reply[]> => {
      const before = await stored(world, world.acme)
      const replies: Reply[] = []
      for (const path of pathsOf(route, known.acme.ids, known.acme.secrets)) {
        replies.push(await send(browser, route, path, headers))
      }
      expect(await stored(world, world.acme)).toBe(before)
      return replies
    }

    const seen = ({ status, text }: Reply, ids: readonly string[]) =>
      `${status} ${ids.reduce((shown, id) => shown.replaceAll(id, 'ID'), text)}`

    for (const route of settingsRoutes) {
      test(`${named(route)}: a member of another company learns nothing and changes nothing`, async () => {
        // Signing out and the like end the session that they come with.
        const browser = isAuth(route) ? await signedIn(world, world.rival.id, 'owner') : known.rival
        for (const { text, headers } of await sendAll(browser, route)) {
          const shown = text + JSON.stringify([...headers])
          for (const canary of known.acme.canaries) expect(shown).not.toContain(canary)
        }
        const [path = ''] = pathsOf(route, [nobody], [nobody])
        if (!route.path.includes(':id')) return
        const absent = seen(await send(browser, route, path), [nobody])
        for (const one of pathsOf(route, known.acme.ids, known.acme.secrets)) {
          expect(seen(await send(browser, route, one), known.acme.ids)).toBe(absent)
        }
      })

      if (ranks[route.role] >= ranks.viewer) {
        test(`${named(route)}: under the address of another company is as under that of none`, async () => {
          const before = await stored(world, world.acme)
          const paths = pathsOf(route, known.acme.ids, known.acme.secrets)
          for (const path of paths) {
            const foreign = await send(known.rival, route, `/c/${world.acme.id}${path}`)
            const absent = await send(known.rival, route, `/c/${nobody}${path}`)
            expect([foreign.status, foreign.text]).toEqual([404, absent.text])
          }
          expect(await stored(world, world.acme)).toBe(before)
        })
      }

      if (route.role !== 'public') {
        test(`${named(route)}: without a session, or with a stale one, is 401`, async () => {
          for (const browser of await strangers()) {
            for (const reply of await sendAll(browser, route)) {
              expect(reply.status).toBe(401)
              if (route.method !== 'HEAD') expect(reply.json.code).toBe('not_signed_in')
            }
          }
        })
      }

      const roles = { viewer: ranks.viewer, developer: ranks.developer } as const
      for (const role of ['viewer', 'developer'] as const) {
        if (ranks[route.role] <= roles[role]) continue
        test(`${named(route)}: a ${role} may not`, async () => {
          for (const reply of await sendAll(known[role], route)) expect(outcome(reply)).toEqual([403, 'forbidden'])
        })
      }

      if (!isRead(route)) {
        test(`${named(route)}: asked by the page of another origin, changes nothing`, async () => {
          const origins: readonly Record<string, string>[] = [
            { Origin: 'https://evil.example' },
            { Origin: 'null' },
            { Origin: '' },
            { Origin: `${world.base}.evil.example` },
            { 'Sec-Fetch-Site': 'cross-site' },
            { 'Sec-Fetch-Site': 'same-site' },
          ]
          for (const headers of origins) {
            for (const reply of await sendAll(known.acme.owner, route, headers)) {
              expect(outcome(reply)).toEqual([403, 'invalid_origin'])
            }
          }
        })
      }
    }

    let made: Browser[] | null = null
    /** Nobody, one who has signed out, one whose session is over, and one who signs for himself. */
    const strangers = async (): Promise<Browser[]> => {
      if (made) return made
      const withCookie = (cookie: string) => Object.assign(visit(world), { cookie })
      const left = await signedIn(world, world.rival.id, 'owner')
      const { cookie } = left
      await left.signOut()
      const over = await signedIn(world, world.rival.id, 'owner', 'over@rival.example')
      const past = new Date(Date.now() - 1000).toISOString()
      await world.db.transact([
        sql`update session set expires_at = ${past}
            where person_id = (select id from person where email = 'over@rival.example')`,
      ])
      const forged = known.acme.owner.cookie.replace(/\.[^.]*$/, `.${btoa('x'.repeat(32))}`)
      made = [visit(world), withCookie(cookie), over, withCookie(forged)]
      return made
    }

    test('no answer lets the page of another origin read it', async () => {
      for (const route of settingsRoutes.filter(isRead)) {
        const [path = ''] = pathsOf(route, known.acme.ids, known.acme.secrets)
        const { headers } = await send(known.acme.owner, route, path, { Origin: 'https://evil.example' })
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    })

    test('a member who was removed is out at once', async () => {
      const leaver = await signedIn(world, world.acme.id, 'owner', 'leaver@acme.example')
      const members: { email: string; person_id: string }[] = (await known.acme.owner.get('/members')).json
      const id = members.find(({ email }) => email === 'leaver@acme.example')?.person_id ?? ''
      expect((await leaver.get('/credentials')).status).toBe(200)
      expect((await known.acme.owner.delete(`/members/${id}`)).status).toBe(204)
      for (const route of settingsRoutes.filter(({ role }) => ranks[role] >= ranks.viewer)) {
        for (const { status } of await sendAll(leaver, route)) expect([401, 403]).toContain(status)
      }
    })

    const rowAttacks: readonly [string, (acme: Tenant) => string, ((acme: Tenant) => object)?][] = [
      ['GET', ({ project }) => `/rest/project?id=eq.${project}`],
      ['HEAD', ({ bid }) => `/rest/bid?id=eq.${bid}`],
      ['GET', ({ bid }) => `/rest/bid?id=eq.${bid}&select=*,project(*)`],
      ['GET', ({ bid }) => `/rest/project?bid_id=eq.${bid}&select=count()`],
      ['PATCH', ({ project }) => `/rest/project?id=eq.${project}`, () => ({ project_name: 'Taken' })],
      ['PATCH', ({ bid }) => `/rest/bid?id=eq.${bid}`, () => ({ bid_name: 'Taken' })],
      ['DELETE', ({ project }) => `/rest/project?id=eq.${project}`],
      ['POST', () => '/rest/project', ({ bid }) => ({ bid_id: bid, project_name: 'Taken' })],
      ['GET', ({ id }) => `/rest/project?company_id=eq.${id}`],
    ]
    for (const [method, path, body] of rowAttacks) {
      test(`${method} /api${path(Object(new Proxy({}, { get: (_, name) => String(name) })))} reaches no row of another company`, async () => {
        const { acme } = world
        const before = await stored(world, acme)
        const reply = await known.rival.send(method, path(acme), body?.(acme))
        const absent = { ...Object(acme), id: nobody, bid: nobody, project: nobody } as Tenant
        const compared = await known.rival.send(method, path(absent), body?.(absent))
        expect(seen(reply, [acme.id, acme.bid, acme.project])).toBe(seen(compared, [nobody]))
        expect(await stored(world, acme)).toBe(before)
      })
    }
  },
  behindProxy,
)
