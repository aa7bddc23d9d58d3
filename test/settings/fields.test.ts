import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { auditOf, type Browser, behindProxy, outcome, signedIn } from './support.ts'

const status = {
  ...{ resource: 'project', name: 'status', type: 'choice', initial: 'lead' },
  choices: ['lead', { value: 'won', label: 'Won', color: 'green' }],
  transitions: { lead: ['won'] },
}

onEachEngine(
  'fields on the settings page',
  (world) => {
    const people: { owner: Browser; developer: Browser; viewer: Browser; rival: Browser } = Object.create(null)
    beforeAll(async () => {
      people.owner = await signedIn(world, world.acme.id, 'owner', 'owner@acme.example')
      people.developer = await signedIn(world, world.acme.id, 'developer')
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.rival = await signedIn(world, world.rival.id, 'owner')
    }, 300_000)

    const names = async (browser: Browser) =>
      (await browser.get('/fields')).json.map(({ name }: { name: string }) => name)

    test('are created by an owner, read by every member, and by nobody else', async () => {
      const made = await people.owner.post('/fields', status)
      expect([made.status, made.headers.get('Cache-Control')]).toEqual([201, 'no-store'])
      expect(made.json).toMatchObject({ name: 'status', label: 'Status', transitions: { lead: ['won'] }, position: 1 })
      expect((await people.viewer.get('/fields')).json).toEqual([made.json])
      expect((await people.rival.get('/fields')).json).toEqual([])
      expect((await people.rival.get('/fields/values')).json).toEqual({})
      expect(await auditOf(world, world.acme.id, 'field.created')).toMatchObject([
        { actor: 'owner@acme.example', target: 'status', address: people.owner.address },
      ])
    })

    test('are changed, archived and restored by owners alone', async () => {
      const [{ id }] = (await people.viewer.get('/fields')).json
      const changes: readonly [string, string, unknown][] = [
        ['POST', '/fields', { resource: 'bid', name: 'taken', type: 'text' }],
        ['PATCH', `/fields/${id}`, { label: 'Taken' }],
        ['POST', `/fields/${id}/archive`, undefined],
        ['POST', `/fields/${id}/restore`, undefined],
        ['POST', '/fields/order', { resource: 'project', ids: [id] }],
      ]
      for (const browser of [people.viewer, people.developer]) {
        for (const [method, path, body] of changes)
          expect(outcome(await browser.send(method, path, body))).toEqual([403, 'forbidden'])
      }
      const { json: archived } = await people.owner.post(`/fields/${id}/archive`)
      expect(archived.archived_at).toBeString()
      expect(outcome(await people.owner.patch(`/fields/${id}`, { label: 'State' }))).toEqual([409, 'field_archived'])
      expect((await people.owner.post(`/fields/${id}/restore`)).json.archived_at).toBeNull()
      expect((await people.owner.patch(`/fields/${id}`, { label: 'State' })).json.label).toBe('State')
    })

    test('of another company look absent', async () => {
      const [{ id }] = (await people.viewer.get('/fields')).json
      const absent = Bun.randomUUIDv7()
      const before = (await people.viewer.get('/fields')).text
      const attempts = (field: string) => [
        () => people.rival.patch(`/fields/${field}`, { label: 'Taken' }),
        () => people.rival.post(`/fields/${field}/archive`),
        () => people.rival.post(`/fields/${field}/restore`),
        () => people.rival.post('/fields/order', { resource: 'project', ids: [field] }),
      ]
      const missing = attempts(absent)
      for (const [at, attempt] of attempts(id).entries()) {
        const reply = await attempt()
        expect([400, 404]).toContain(reply.status)
        expect(reply.text).toBe((await missing[at]?.())?.text ?? '')
      }
      expect((await people.viewer.get('/fields')).text).toBe(before)
    })

    test('have an order', async () => {
      for (const name of ['first', 'second'])
        await people.owner.post('/fields', { resource: 'bid', name, type: 'text' })
      expect(await names(people.viewer)).toEqual(['first', 'second', 'status'])
      const ids = (await people.viewer.get('/fields')).json.map((one: { id: string }) => one.id)
      const order = { resource: 'bid', ids: [ids[1], ids[0]] }
      expect((await people.owner.post('/fields/order', order)).status).toBe(200)
      expect(await names(people.viewer)).toEqual(['second', 'first', 'status'])
      for (const wrong of [{ resource: 'bid' }, { resource: 'company', ids }, { resource: 'bid', ids: [1] }, { ids }])
        expect(outcome(await people.owner.post('/fields/order', wrong))).toEqual([400, 'field_invalid'])
    })

    test('tell how many rows have a value, each by its id, also once they are archived', async () => {
      const { json: site } = await people.owner.post('/fields', { resource: 'bid', name: 'site', type: 'text' })
      await people.owner.post('/rest/bid', { bid_name: 'Harbour', site: 'North' })
      const counts = async (browser: Browser) => (await browser.get('/fields/values')).json
      const fields: { id: string }[] = (await people.viewer.get('/fields')).json
      const expected = { ...Object.fromEntries(fields.map(({ id }) => [id, 0])), [site.id]: 1 }
      expect(await counts(people.viewer)).toEqual(expected)
      expect(await counts(people.rival)).toEqual({})
      await people.owner.post(`/fields/${site.id}/archive`)
      expect(await counts(people.viewer)).toEqual(expected)
      expect((await people.owner.get('/rest/bid?select=site')).status).toBe(400)
      await people.owner.post(`/fields/${site.id}/restore`)
      expect((await people.owner.get('/rest/bid?select=site&bid_name=eq.Harbour')).json).toEqual([{ site: 'North' }])
    })

    test('are columns of the company with their choices and states, and of no other', async () => {
      const column = async (browser: Browser) => {
        const resources: { name: string; columns: { name: string }[] }[] = (await browser.get('/resources')).json
        return resources.find(({ name }) => name === 'project')?.columns.find(({ name }) => name === 'status')
      }
      expect(await column(people.viewer)).toMatchObject({
        ...{ label: 'State', type: 'choice', own: true, states: { starts: ['lead'], next: { lead: ['won'] } } },
        choices: [
          { value: 'lead', color: 'gray', closed: false },
          { value: 'won', label: 'Won', color: 'green', closed: false },
        ],
      })
      expect(await column(people.rival)).toBeUndefined()
    })

    test('with something that is no text, and cannot be made one, are refused', async () => {
      const odd = { toString: 1, valueOf: 1 }
      const choice = { type: 'choice', choices: ['a'] }
      const wrong: readonly object[] = [
        ...[
          'resource',
          'name',
          'type',
          'label',
          'description',
          'required',
          'default_value',
          'rules',
          'start',
          'indexed',
        ],
        ...['choices', 'initial', 'transitions'],
      ].map((part) => ({ ...choice, [part]: odd }))
      const inside = [
        { choices: [odd] },
        { choices: [{ value: 'a', color: odd }] },
        { choices: [{ value: 'a', label: odd }] },
        { transitions: { a: [odd] } },
        { transitions: { a: odd } },
        { type: 'integer', choices: undefined, rules: { minimum: odd } },
      ].map((part) => ({ ...choice, ...part }))
      for (const body of [...wrong, ...inside]) {
        const reply = await people.owner.post('/fields', { resource: 'bid', name: 'odd', ...body })
        expect([JSON.stringify(body), ...outcome(reply)]).toEqual([JSON.stringify(body), 400, 'field_invalid'])
      }
      const ordered = await people.owner.post('/fields/order', { resource: odd, ids: [odd] })
      expect(ordered.status).toBeLessThan(500)
    })

    test('that are wrong are refused with the part that is wrong', async () => {
      const wrong: readonly [string, object][] = [
        ['name', { name: 'id' }],
        ['name', { name: 'Status' }],
        ['type', { type: 'money' }],
        ['label', { label: '' }],
        ['choices', { type: 'choice', choices: [] }],
        ['choices', { type: 'choice', choices: ['a', 'a'] }],
        ['initial', { type: 'choice', choices: ['a'], initial: 'b' }],
        ['initial', { type: 'choice', choices: ['a'], transitions: {} }],
        ['transitions', { type: 'choice', choices: ['a'], initial: 'a', transitions: { a: ['b'] } }],
        ['rules', { type: 'integer', rules: { minimum: 'many' } }],
        ['default_value', { type: 'integer', default_value: 'many' }],
        ['indexed', { type: 'choices', choices: ['a'], indexed: true }],
      ]
      for (const [part, body] of wrong) {
        const reply = await people.owner.post('/fields', { resource: 'bid', name: 'fresh', type: 'text', ...body })
        expect([...outcome(reply), reply.json.details]).toEqual([400, 'field_invalid', `It is in "${part}".`])
      }
      const again = await people.owner.post('/fields', { resource: 'bid', name: 'first', type: 'text' })
      expect(outcome(again)).toEqual([409, 'field_exists'])
    })
  },
  behindProxy,
)
