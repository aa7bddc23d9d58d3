import { afterAll, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'
import { OidcProvider } from './oidc-provider.ts'
import { behindProxy, newEmail, outcome, signedIn, visit } from './support.ts'

const provider = new OidcProvider()
afterAll(() => provider.close())

const settings = {
  ...behindProxy,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: 'project-api',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
  OIDC_NAME: 'Acme ID',
}

/** Signs in at the provider as a browser does. Where it leads, and the session that it has then. */
async function enter(world: World, next = '/') {
  const browser = visit(world)
  const cookies = new Map<string, string>()
  const headers = () => ({
    ...{ Origin: world.base, 'X-Forwarded-For': browser.address, 'User-Agent': 'test' },
    Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  })
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const start = await fetch(`${world.base}/api/auth/sign-in/social`, {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ next }),
  })
  keep(start)
  const { url } = (await start.json()) as { url: string }
  const consent = await fetch(url, { redirect: 'manual' })
  const back = await fetch(consent.headers.get('location') ?? '', { headers: headers(), redirect: 'manual' })
  keep(back)
  const token = [...cookies].find(([name]) => name.endsWith('session_token'))
  browser.cookie = token ? token.join('=') : ''
  return { browser, place: back.headers.get('location'), callback: consent.headers.get('location') ?? '' }
}

const person = (email: string, more = {}) => ({
  sub: Bun.randomUUIDv7(),
  email,
  email_verified: true,
  name: 'Ada',
  ...more,
})

const accountsOf = async ({ db }: World, email: string) =>
  (
    await db.read(sql`
      select a.provider_id from account a join person p on p.id = a.person_id where p.email = ${email} order by 1`)
  ).flat()

onEachEngine(
  'sign-in by OpenID Connect',
  (world) => {
    test('makes an account for who is invited, and knows it again', async () => {
      const email = newEmail()
      const owner = await signedIn(world, world.acme.id, 'owner')
      const { link } = (await owner.post('/invitations', { email, role: 'viewer' })).json
      const invitation = `/invitation/${link.split('/').at(-1)}`
      provider.claims = person(email)
      expect((await visit(world).get('/setup')).json.oidc_name).toBe('Acme ID')
      const { browser, place } = await enter(world, invitation)
      expect(place).toBe(invitation)
      expect((await browser.get('/session')).json).toMatchObject({ person: { email, name: 'Ada' }, company: null })
      expect((await browser.post(`${invitation}/accept`, {})).status).toBe(200)
      expect((await browser.get('/members')).status).toBe(200)
      // By the provider's own id, whatever the address is now.
      provider.claims = { ...provider.claims, email: newEmail() }
      expect((await (await enter(world)).browser.get('/session')).json.person.email).toBe(email)
      expect((await browser.get('/sign-ins')).json[0]).toMatchObject({ outcome: 'ok', method: 'OpenID Connect' })
      const tokens = await world.db.read(sql`select access_token, id_token, refresh_token from account`)
      expect(tokens.flat().filter((token) => token !== null)).toEqual([])
    })

    test('lets nobody in who is not invited, or whose address the provider has not verified', async () => {
      const [stranger, unverified] = [newEmail(), newEmail()]
      provider.claims = person(stranger)
      expect((await enter(world)).place).toContain('/sign-in?error=signup_closed')
      const owner = await signedIn(world, world.acme.id, 'owner')
      await owner.post('/invitations', { email: unverified, role: 'viewer' })
      provider.claims = person(unverified, { email_verified: false })
      const { browser, place } = await enter(world)
      expect(place).toContain('/sign-in?error=email_not_verified')
      expect((await browser.get('/session')).status).toBe(401)
      expect(await world.db.read(sql`select 1 from person where email in (${stranger}, ${unverified})`)).toEqual([])
    })

    test('joins an account by an address only where both sides have verified it', async () => {
      const email = newEmail()
      await signedIn(world, world.rival.id, 'owner', email)
      const verified = (is: boolean) =>
        world.db.transact([
          sql`update person set email_verified = ${is ? sql`true` : sql`false`} where email = ${email}`,
        ])
      await verified(false)
      provider.claims = person(email)
      expect((await enter(world)).place).toContain('error=account_not_linked')
      await verified(true)
      provider.claims = person(email, { email_verified: false })
      expect((await enter(world)).place).toContain('error=account_not_linked')
      provider.claims = person(email, { email_verified: 'false' })
      expect((await enter(world)).browser.cookie).toBe('')
      expect(await accountsOf(world, email)).toEqual(['credential'])
      provider.claims = person(email)
      const { browser } = await enter(world)
      expect((await browser.get('/session')).json).toMatchObject({ person: { email }, company: { id: world.rival.id } })
      expect(await accountsOf(world, email)).toEqual(['credential', 'oidc'])
    })

    test('believes no token of another key, nonce or audience, and no callback of somebody else', async () => {
      const email = newEmail()
      await signedIn(world, world.acme.id, 'owner', email)
      provider.claims = person(email)
      for (const forge of ['key', 'nonce', 'audience'] as const) {
        provider.forge = forge
        const { browser, place } = await enter(world)
        expect([forge, browser.cookie, place]).toEqual([forge, '', expect.stringContaining('/sign-in?error=')])
      }
      provider.forge = null
      const { callback } = await enter(world)
      const again = await fetch(callback, { redirect: 'manual' })
      expect([again.status, again.headers.getSetCookie().join()]).toEqual([
        302,
        expect.not.stringContaining('session_token='),
      ])
    })

    test('leads to no other site', async () => {
      const email = newEmail()
      await signedIn(world, world.acme.id, 'owner', email)
      provider.claims = person(email)
      for (const next of ['//evil.example/', 'https://evil.example/', '/\\\\evil.example'])
        expect((await enter(world, next)).place).toBe('/')
    })
  },
  settings,
)

onEachEngine(
  'a provider that is away at first',
  (world) => {
    test('is asked again', async () => {
      provider.isAway = true
      const start = () => visit(world).post('/auth/sign-in/social', {})
      expect(outcome(await start())).toEqual([502, 'oidc_away'])
      provider.isAway = false
      expect((await start()).status).toBe(200)
    })
  },
  settings,
)

onEachEngine(
  'without a provider',
  (world) => {
    test('there is no such sign-in', async () => {
      expect((await visit(world).get('/setup')).json.oidc_name).toBeNull()
      expect(outcome(await visit(world).post('/auth/sign-in/social', {}))).toEqual([502, 'oidc_away'])
    })
  },
  behindProxy,
)
