import { afterAll, beforeAll, expect, test } from 'bun:test'
import { OidcProvider } from '../../settings/oidc-provider.ts'
import { expectNoViolations } from './axe.ts'
import { Site } from './support.ts'

const provider = new OidcProvider()
let site: Site

beforeAll(async () => {
  site = await Site.open({
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'project-api', OIDC_CLIENT_SECRET: 'secret' },
    OIDC_NAME: 'Acme ID',
  })
}, 300_000)

afterAll(async () => {
  await site?.close()
  await provider.close()
})

test('somebody who is invited signs in with the provider, and joins', async () => {
  const ada = await site.owner()
  const { link } = await ada.must('POST', '/api/invitations', { email: 'grace@example.com', role: 'viewer' })
  const grace = await site.visit()
  provider.claims = { sub: '1', email: 'stranger@example.com', email_verified: true }
  await grace.go('/sign-in', 'Sign in')
  await expectNoViolations(grace, 'a sign-in with a provider')
  await grace.fits(390)
  await grace.press('Continue with Acme ID')
  await grace.sees('Accounts are by invitation here.')
  await expectNoViolations(grace, 'a sign-in that the provider did not lead on')
  provider.claims = { sub: '2', email: 'grace@example.com', email_verified: true, name: 'Grace' }
  const path = link.slice(site.base.length)
  await grace.go(`/sign-in?next=${encodeURIComponent(path)}`, 'Sign in')
  await grace.press('Continue with Acme ID')
  await grace.reaches('Join Acme')
  await grace.press('Join Acme')
  await grace.reaches('Overview')
  expect((await grace.must('GET', '/api/session')).person).toMatchObject({ email: 'grace@example.com', name: 'Grace' })
}, 300_000)
