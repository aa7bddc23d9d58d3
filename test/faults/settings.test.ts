import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Browser, newEmail, password, signedIn } from '../settings/support.ts'
import type { TcpProxy } from '../support/proxy.ts'
import { until } from '../support/service.ts'
import { World } from '../support/world.ts'
import { expectUnavailable, openBehindProxy } from './support.ts'

setDefaultTimeout(300_000)

describe('the settings page without its database', () => {
  const world = new World({ TRUST_PROXY: 'on', SIGNUP: 'open' })
  let proxy: TcpProxy
  let owner: Browser

  beforeAll(async () => {
    proxy = (await openBehindProxy(world)).proxy
    owner = await signedIn(world, world.acme.id, 'owner')
  })
  afterEach(async () => {
    proxy.pass()
    await until(async () => (await owner.get('/session')).status === 200)
  })
  afterAll(async () => {
    await world.close()
    await proxy.close()
  })

  const email = newEmail()
  const requests: readonly [string, string, unknown?][] = [
    ['GET', '/session'],
    ['GET', '/setup'],
    ['GET', '/credentials'],
    ['POST', '/credentials', { name: 'Away', access: 'read' }],
    ['GET', '/rest/project'],
    ['POST', '/auth/sign-in/email', { email, password }],
    ['POST', '/auth/sign-up/email', { name: 'Away', email, password }],
    ['POST', '/auth/request-password-reset', { email }],
    ['POST', '/auth/sign-out', {}],
  ]

  test('refuses everything with a 503, and does not say that a session has ended which has not', async () => {
    proxy.drop()
    const replies = await Promise.all(
      requests.map(([method, path, body]) =>
        Object.assign(new Browser(world.base), { cookie: owner.cookie }).send(method, path, body),
      ),
    )
    for (const [at, reply] of replies.entries()) {
      expect([requests[at]?.[1], reply.status]).toEqual([requests[at]?.[1], 503])
      expectUnavailable(reply, 'PGRST001', 'outcome_unknown')
    }
  })

  test('says of a change under way that its outcome is unknown', async () => {
    const lost = proxy.dropAt('Half done', 'answered')
    const reply = await owner.post('/credentials', { name: 'Half done', access: 'read' })
    await lost
    expectUnavailable(reply, 'outcome_unknown', 'PGRST001')
  })
})
