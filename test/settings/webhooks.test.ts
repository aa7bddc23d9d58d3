import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import dns from 'node:dns'
import { Webhook } from 'standardwebhooks'
import { commandLine } from '../../src/people/audit.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { changeEndpoint, findEndpoint } from '../../src/webhooks/endpoints.ts'
import { findSeal } from '../../src/webhooks/seal-key.ts'
import { onEachEngine } from '../support/engines.ts'
import { withTransact } from '../support/with-transact.ts'
import { type NameServer, startNameServer } from '../webhooks/name-server.ts'
import { dispatch, Receiver, until } from '../webhooks/support.ts'
import { auditOf, type Browser, behindProxy, outcome, signedIn } from './support.ts'

onEachEngine(
  'webhooks in the settings',
  (world) => {
    let [owner, viewer, rival]: Browser[] = []
    let receiver: Receiver
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
      viewer = await signedIn(world, world.acme.id, 'viewer')
      rival = await signedIn(world, world.rival.id, 'owner')
      receiver = new Receiver()
    })
    afterAll(() => receiver.stop())

    const ask = (browser: Browser | undefined): Browser => {
      if (!browser) throw new Error('Nobody is signed in')
      return browser
    }
    const create = async (body: object = {}) => {
      const { status, json } = await ask(owner).post('/webhooks', { url: receiver.url, ...body })
      expect(status).toBe(201)
      return json
    }

    test('show the secret once, and it is not in the database', async () => {
      const made = await create({ types: ['project.created'], filter: 'project_name=like.A*' })
      expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(made).toMatchObject({
        url: receiver.url,
        types: ['project.created'],
        filter: 'project_name=like.A*',
        state: 'active',
      })
      const [shown, listed] = [await ask(viewer).get(`/webhooks/${made.id}`), await ask(viewer).get('/webhooks')]
      const { secret: _, ...rest } = made
      expect(shown.json).toEqual(rest)
      expect(listed.json.webhooks.map(({ id }: { id: string }) => id)).toContain(made.id)
      expect(listed.json.event_types).toContain('project.updated')
      const own = world.db.forCompany(world.acme.id)
      const stored = JSON.stringify(await own.read(sql`select secret from ${companyRows('webhook_endpoint', own)}`))
      expect(stored).not.toContain(made.secret.slice(6))
      expect((await auditOf(world, world.acme.id, 'webhook.created')).at(-1)).toMatchObject({ target: receiver.url })
    })

    test.each([
      ['no URL', { url: 'nonsense' }, 'webhook_url_refused'],
      ['a private address', { url: 'https://10.0.0.1/' }, 'webhook_url_refused'],
      ['a password', { url: 'https://a:b@example.com/' }, 'webhook_url_refused'],
      ['an unknown type', { types: ['project.painted'] }, 'invalid_settings_body'],
      ['an unknown column', { filter: 'colour=eq.red' }, '42703'],
      ['a column of another type', { types: ['bid.created'], filter: 'project_name=eq.A' }, '42703'],
      ['an invalid condition', { filter: 'project_name=is' }, 'PGRST100'],
      ['a condition without an equals sign', { filter: 'project_name.eq.A' }, 'invalid_settings_body'],
      ['a word', { filter: 'x' }, 'invalid_settings_body'],
      ['signs alone', { filter: '&&&' }, 'invalid_settings_body'],
      ['a word beside a condition', { filter: 'project_name=eq.A&x' }, 'invalid_settings_body'],
      ['a time that moves', { filter: 'created_at=lt.now' }, 'invalid_settings_body'],
      ['a day that moves', { filter: 'and=(updated_at.not.gt.%20Yesterday)' }, 'invalid_settings_body'],
      ['an order', { filter: 'order=id' }, 'invalid_settings_body'],
      ['two regular expressions', { filter: 'project_name=match.a&project_name=match.b' }, 'invalid_settings_body'],
      ['a bad value of a column that one resource has', { filter: 'bid_id=eq.5' }, '22P02'],
      ['another resource', { filter: 'bid.bid_name=eq.A' }, 'PGRST108'],
      ['a value of the wrong type', { filter: 'id=eq.5' }, '22P02'],
    ])('are refused with %s', async (_, body, code) => {
      const reply = await ask(owner).post('/webhooks', { url: receiver.url, ...body })
      expect(outcome(reply)).toEqual([400, code])
    })

    test('compare with fixed times, and texts with any word', async () => {
      const filter = 'project_name=eq.now&created_at=gt.epoch&updated_at=lt.infinity'
      expect(await create({ filter })).toMatchObject({ filter })
    })

    test('are refused while the company has turned its events off', async () => {
      const set = (events: string) =>
        world.db.transact([sql`update company set events = ${events} where id = ${world.acme.id}`])
      await set('off')
      expect(outcome(await ask(owner).post('/webhooks', { url: receiver.url }))).toEqual([409, 'events_off'])
      await set('on')
    })

    test('are changed and disabled or enabled at once: all of a request, or nothing', async () => {
      const { id } = await create()
      const ref = { companyId: world.acme.id, id }
      const other = `${receiver.url}other`
      let transactions = 0
      const counting = withTransact(world.db, (transact) => (...sent) => {
        transactions += 1
        return transact(...sent)
      })
      await changeEndpoint(counting, ref, { url: other, enabled: false }, commandLine)
      expect([transactions, await findEndpoint(world.db, ref)]).toMatchObject([
        1,
        { url: other, disabledReason: 'by_hand' },
      ])
      await changeEndpoint(counting, ref, { url: receiver.url, enabled: true }, commandLine)
      expect([transactions, await findEndpoint(world.db, ref)]).toMatchObject([
        2,
        { url: receiver.url, disabledAt: null },
      ])
      for (const action of ['webhook.changed', 'webhook.disabled', 'webhook.enabled'])
        expect((await auditOf(world, world.acme.id, action)).at(-1)?.details).not.toHaveProperty('enabled')
    })

    test('are changed, disabled, enabled and deleted by owners', async () => {
      const { id } = await create()
      const at = `/webhooks/${id}`
      const changed = await ask(owner).patch(at, { types: ['bid.deleted'], enabled: false })
      expect(changed.json).toMatchObject({ types: ['bid.deleted'], state: 'disabled', disabled_reason: 'by_hand' })
      expect((await ask(owner).patch(at, { enabled: true, types: [] })).json).toMatchObject({
        types: null,
        state: 'active',
      })
      expect(outcome(await ask(viewer).patch(at, { enabled: false }))).toEqual([403, 'forbidden'])
      expect((await ask(owner).delete(at)).status).toBe(204)
      expect(outcome(await ask(owner).get(at))).toEqual([404, 'not_found'])
    })

    test('with a filter by an archived field are disabled, and moved to another URL', async () => {
      const field = { resource: 'project', name: 'phase', type: 'text' }
      const { id: fieldId } = (await ask(owner).post('/fields', field)).json
      const { id } = await create({ filter: 'phase=eq.A' })
      expect((await ask(owner).post(`/fields/${fieldId}/archive`)).status).toBe(200)
      const at = `/webhooks/${id}`
      const url = `${receiver.url}/moved`
      expect((await ask(owner).patch(at, { enabled: false })).json).toMatchObject({ state: 'disabled' })
      expect((await ask(owner).patch(at, { url })).json).toMatchObject({ url, filter: 'phase=eq.A' })
      expect(outcome(await ask(owner).patch(at, { types: ['project.created'] }))).toEqual([400, '42703'])
      expect(outcome(await ask(owner).patch(at, { filter: 'phase=eq.B' }))).toEqual([400, '42703'])
      expect((await ask(owner).patch(at, { filter: '' })).json).toMatchObject({ url, filter: '' })
    })

    test('keep two changes of different things at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await create()
        const changes = { url: `${receiver.url}/moved`, types: ['project.created'], filter: 'project_name=eq.A' }
        const each = Object.entries(changes).map(([name, value]) => ({ [name]: value }))
        await Promise.all(each.map((change) => ask(owner).patch(`/webhooks/${id}`, change)))
        expect((await ask(owner).get(`/webhooks/${id}`)).json).toMatchObject(changes)
        await ask(owner).delete(`/webhooks/${id}`)
      }
    })

    test('are tested at once, and show what came of it', async () => {
      const { id, secret } = await create()
      const before = receiver.received.length
      const { json } = await ask(owner).post(`/webhooks/${id}/test`)
      expect(json).toMatchObject({ status: 200, answer: 'ok', error: null })
      const got = receiver.received[before]
      expect(got?.json).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } })
      expect(() => new Webhook(secret).verify(got?.text ?? '', got?.headers ?? {})).not.toThrow()
      const page = await ask(viewer).get(`/webhooks/${id}/deliveries`)
      expect(page.json).toMatchObject({
        deliveries: [{ type: 'webhook.test', state: 'delivered', attempts: 1 }],
        next: null,
      })
      const [{ event_id }] = page.json.deliveries
      const detail = await ask(viewer).get(`/webhooks/${id}/deliveries/${event_id}`)
      expect(detail.json).toMatchObject({ body: got?.text, history: [{ status: 200, answer: 'ok' }] })
      expect((await ask(viewer).get(`/webhooks/${id}`)).json).toMatchObject({ attempts: 1, received: 1, pending: 0 })
    })

    describe('whose name is resolved slowly', () => {
      let names: NameServer
      let before: string[]
      beforeEach(async () => {
        names = await startNameServer()
        before = dns.getServers()
        dns.setServers([names.address])
      })
      afterEach(() => {
        dns.setServers(before)
        names.stop()
      })

      test('are not sent the test of somebody who may no longer send it', async () => {
        const other = await signedIn(world, world.acme.id, 'owner')
        const { person } = (await other.get('/session')).json
        const hosts = ['removed.test', 'kept.test'] as const
        for (const host of hosts) names.answers.set(host, 'silent')
        const made = await Promise.all(hosts.map((host) => create({ url: receiver.url.replace('127.0.0.1', host) })))
        const sent = receiver.received.length
        const tests = [other, ask(owner)].map((browser, at) => browser.post(`/webhooks/${made[at].id}/test`))
        await until(() => hosts.every((host) => names.askedNames.has(host)))
        expect((await ask(owner).delete(`/members/${person.id}`)).status).toBe(204)
        for (const host of hosts) names.answers.set(host, ['127.0.0.1'])
        names.giveUp()
        const [refused, done] = await Promise.all(tests)
        expect(refused?.status).toBe(403)
        expect(done?.json).toMatchObject({ status: 200, answer: 'ok' })
        expect(receiver.received.slice(sent).map(({ json }) => json.data.webhook_id)).toEqual([made[1].id])
        const { deliveries } = (await ask(viewer).get(`/webhooks/${made[0].id}/deliveries`)).json
        expect(deliveries).toEqual([])
      })
    })

    test('show their deliveries page by page, and replay one or all since a time', async () => {
      // The other webhooks of this company send to theirs.
      const own = new Receiver()
      const { id } = await create({ url: own.url })
      const dispatcher = dispatch(world, { seal: () => findSeal(world.config) })
      const since = new Date()
      await world.acme.seed(['One', 'Two', 'Three'])
      const deliveries = async (query = '') => (await ask(owner).get(`/webhooks/${id}/deliveries${query}`)).json
      const done = async (count: number) => (await deliveries('?state=delivered')).deliveries.length === count
      await until(() => done(3))
      const first = await deliveries('?limit=2')
      const second = await deliveries(`?limit=2&before=${first.next}`)
      expect([first.deliveries.length, second.deliveries.length, second.next]).toEqual([2, 1, null])
      const { event_id } = second.deliveries[0]
      const times = (eventId: string) => own.received.filter(({ headers }) => headers['webhook-id'] === eventId).length
      const before = times(event_id)
      expect((await ask(owner).post(`/webhooks/${id}/deliveries/${event_id}/replay`)).status).toBe(204)
      await until(() => times(event_id) === before + 1)
      await until(() => done(3))
      expect((await ask(owner).post(`/webhooks/${id}/replay`, { since: since.toISOString() })).status).toBe(204)
      await until(() => times(event_id) === before + 2)
      for (const bad of ['?limit=0', '?before=x', '?state=zz'])
        expect((await ask(owner).get(`/webhooks/${id}/deliveries${bad}`)).status).toBe(400)
      await dispatcher.stop()
      await own.stop()
    })

    test('have a new secret after a rotation, and the old one for a while', async () => {
      const { id, secret } = await create()
      const rotated = await ask(owner).post(`/webhooks/${id}/rotate`, { grace_seconds: 3600 })
      expect(rotated.json.secret).not.toBe(secret)
      expect(Date.parse(rotated.json.old_secret_ends_at)).toBeGreaterThan(Date.now())
      await ask(owner).post(`/webhooks/${id}/test`)
      const got = receiver.received.at(-1)
      for (const one of [secret, rotated.json.secret])
        expect(() => new Webhook(one).verify(got?.text ?? '', got?.headers ?? {})).not.toThrow()
    })

    test('are at most 50 of a company', async () => {
      const busy = ask(rival)
      const made = []
      for (let at = 0; at < 51; at += 1)
        made.push(outcome(await busy.post('/webhooks', { url: 'https://example.com/' })))
      expect(made.at(-1)).toEqual([409, 'too_many_webhooks'])
      expect(made.filter(([status]) => status === 201).length).toBe(50)
    })

    test('of another company are not there', async () => {
      const { id } = await create()
      await ask(owner).post(`/webhooks/${id}/test`)
      const [{ event_id }] = (await ask(owner).get(`/webhooks/${id}/deliveries`)).json.deliveries
      const at = `/webhooks/${id}`
      const replies = [
        await ask(rival).get(at),
        await ask(rival).patch(at, { enabled: false }),
        await ask(rival).delete(at),
        await ask(rival).post(`${at}/rotate`, {}),
        await ask(rival).post(`${at}/test`),
        await ask(rival).post(`${at}/replay`, { since: '2026-01-01' }),
        await ask(rival).get(`${at}/deliveries`),
        await ask(rival).get(`${at}/deliveries/${event_id}`),
        await ask(rival).post(`${at}/deliveries/${event_id}/replay`),
      ]
      expect(replies.map(outcome)).toEqual(replies.map(() => [404, 'not_found']))
      expect((await ask(owner).get(at)).json.state).toBe('active')
    })
  },
  { ...behindProxy, WEBHOOK_LOOPBACK: 'on' },
)
