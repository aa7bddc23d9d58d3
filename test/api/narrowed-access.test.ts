import { expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { changeAccess, type NewAccess } from '../../src/keys/change.ts'
import { notNarrowed } from '../../src/keys/narrowing.ts'
import { commandLine } from '../../src/people/audit.ts'
import { Agent, joined } from '../mcp/agent.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant } from '../support/world.ts'

const outcome = ({ status, json }: Reply) => [status, json?.code ?? null]
const refused = [403, 'insufficient_scope']

const all = ['delete', 'get', 'head', 'patch', 'post', 'put']
const reads = ['get', 'head']
const readsAndChange = ['get', 'head', 'patch']

interface Document {
  readonly paths: Readonly<Record<string, object>>
}

/** What a description says that can be done with each resource. */
const methodsOf = ({ paths: { '/': _, ...paths } }: Document): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path.slice(1),
      Object.keys(operations)
        .filter((method) => method !== 'options')
        .toSorted(),
    ]),
  )

/** References to parts that the document does not have. */
const danglingOf = (document: object): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].flatMap(([, path = '']) => {
    const found = path.split('/').reduce<unknown>((part, name) => Object(part)[name], document)
    return found === undefined ? [path] : []
  })

onEachEngine(
  'an access that is narrowed',
  (world) => {
    const change = (tenant: Tenant, narrowing: Partial<NewAccess>) => {
      const wanted = { access: 'read-write' as const, ...notNarrowed, ...narrowing }
      return changeAccess(world.db, { companyId: tenant.id, id: tenant.credentialId }, () => wanted, commandLine)
    }
    const narrowed = async (narrowing: Partial<NewAccess>): Promise<Tenant> => {
      const tenant = await world.acme.withCredential('read-write')
      await change(tenant, narrowing)
      return tenant
    }
    const newProject = () => ({ bid_id: world.acme.bid, project_name: 'Narrow' })

    test('to one resource reaches no other, not even as a part of a row', async () => {
      const tenant = await narrowed({ resources: ['project'] })
      expect(outcome(await tenant.get('/project?select=id&limit=1'))).toEqual([200, null])
      expect(outcome(await tenant.post('/project', newProject()))).toEqual([201, null])
      const answer = await tenant.get('/bid')
      expect(answer.json).toMatchObject({
        message: 'This credential has no access to "bid"',
        hint: 'It has access to: project. An owner or a developer of its company can change that on the settings page.',
      })
      const reaching = [
        tenant.get('/bid?limit=0'),
        tenant.head('/bid'),
        tenant.post('/bid', { bid_name: 'Dam' }),
        tenant.patch(`/bid?id=eq.${world.acme.bid}`, { bid_name: 'Dam' }),
        tenant.delete(`/bid?id=eq.${world.acme.bid}`),
        tenant.get('/project?select=id,bid(bid_name)'),
        tenant.get('/project?select=id,...bid(bid_name)'),
        tenant.get('/project?select=id,bid!inner()&bid.bid_name=like.A*'),
        tenant.get('/project?select=id,bid()&order=bid(bid_name)'),
        tenant.post('/project?select=id,bid(bid_name)', newProject()),
      ]
      for (const reply of await Promise.all(reaching)) expect(reply.status).toBe(403)
    })

    test.each([
      ['read', ['GET']],
      ['create', ['POST']],
      ['change', ['PATCH']],
      ['delete', ['DELETE']],
    ] as const)('to %s rows does nothing else', async (operation, allowed) => {
      const tenant = await narrowed({ may: [operation], access: operation === 'read' ? 'read' : 'read-write' })
      const none = `/project?id=eq.${crypto.randomUUID()}`
      const replies = {
        GET: await tenant.get('/project?limit=1'),
        POST: await tenant.post('/project', newProject()),
        PATCH: await tenant.patch(none, { project_name: 'Other' }),
        DELETE: await tenant.delete(none),
        PUT: await tenant.send('PUT', none, { 'Content-Type': 'application/json' }, '{}'),
      }
      const passed = Object.entries(replies).flatMap(([method, reply]) => (reply.status === 403 ? [] : [method]))
      expect(passed).toEqual([...allowed])
      for (const { status, json } of Object.values(replies)) if (status === 403) expect(json.code).toBe(refused[1])
    })

    test('that may not read is shown no row that was there before', async () => {
      const tenant = await narrowed({ may: ['create', 'change', 'delete'] })
      const shown = { Prefer: 'return=representation' }
      const own = `/project?id=eq.${world.acme.project}`
      expect(outcome(await tenant.post('/project', newProject(), shown))).toEqual([201, null])
      expect(outcome(await tenant.patch(own, { project_name: 'Seen' }, shown))).toEqual(refused)
      expect(outcome(await tenant.delete(own, shown))).toEqual(refused)
      const merge = { Prefer: 'resolution=merge-duplicates' }
      expect(outcome(await tenant.post('/project', { id: world.acme.project, ...newProject() }, merge))).toEqual(
        refused,
      )
      expect(outcome(await tenant.post('/project?select=id,bid(bid_name)', newProject()))).toEqual(refused)
    })

    test('that may not read finds rows by their keys alone: what a condition finds tells what is in them', async () => {
      const tenant = await narrowed({ may: ['change', 'delete'] })
      const reader = await narrowed({ may: ['read', 'change', 'delete'] })
      const trial = { Prefer: 'tx=rollback, count=exact' }
      const own = `id=eq.${world.acme.project}`
      for (const [query, isAllowed] of [
        [own, true],
        [`id=in.(${world.acme.project},${world.rival.project})`, true],
        [`${own}&project_name=like.A*`, false],
        ['project_name=like.A*', false],
        [`id=neq.${world.acme.project}`, false],
        [`id=not.eq.${world.acme.project}`, false],
        [`id=gt.${world.acme.project}`, false],
        [`or=(${own.replace('=', '.')},project_name.like.A*)`, false],
      ] as const) {
        const status = (reply: { readonly status: number }) => [query, reply.status === 403]
        expect(status(await tenant.patch(`/project?${query}`, { project_name: 'x' }, trial))).toEqual([
          query,
          !isAllowed,
        ])
        expect(status(await tenant.delete(`/project?${query}`, trial))).toEqual([query, !isAllowed])
        expect(status(await reader.delete(`/project?${query}`, trial))).toEqual([query, false])
      }
    })

    test('is not shown what another credential was answered for the same key', async () => {
      const tenant = await narrowed({ may: ['create', 'change'] })
      const own = `/project?id=eq.${world.acme.project}`
      const key = { 'Idempotency-Key': crypto.randomUUID() }
      const shown = { ...key, Prefer: 'return=representation' }
      expect((await world.acme.patch(own, { project_name: 'Kept' }, shown)).status).toBe(200)
      expect(outcome(await tenant.patch(own, { project_name: 'Kept' }, key))).toEqual([422, 'idempotency_key_reused'])
      const again = { 'Idempotency-Key': crypto.randomUUID() }
      for (const _ of [1, 2]) expect((await tenant.patch(own, { project_name: 'Kept' }, again)).status).toBe(204)
    })

    test('to networks is refused elsewhere, and says from where the request came', async () => {
      const tenant = await narrowed({ addresses: ['192.0.2.0/24', '2001:db8::/32'] })
      const from = (address: string) => tenant.get('/project?limit=1', { 'X-Forwarded-For': address })
      expect((await from('192.0.2.200')).status).toBe(200)
      expect((await from('2001:db8:1::9')).status).toBe(200)
      const { status, json } = await from('203.0.113.7')
      expect([status, json]).toEqual([
        403,
        {
          code: 'address_not_allowed',
          message: 'This credential may not be used from this address',
          details: 'The request came from 203.0.113.7.',
          hint: 'Call from one of its networks. An owner or a developer of its company can change them on the settings page.',
        },
      ])
    })

    test('holds for agents as well, who see the tools that are left', async () => {
      const tenant = await narrowed({ resources: ['project'], may: ['read', 'create'] })
      const agent = await Agent.connect(world, joined(tenant))
      expect((await agent.tools()).map(({ name }) => name)).toEqual(['list_project', 'get_project', 'create_project'])
      const reached = await agent.call('list_project', { select: 'id,bid(bid_name)' })
      expect([reached.isError, reached.json.code]).toEqual([true, 'insufficient_scope'])
      await agent.close()
    })

    test.each([
      ['one resource', { resources: ['project'] }, { project: all }],
      ['reading', { access: 'read' }, { project: reads, bid: reads, event: reads, field: reads }],
      ['creating', { may: ['create'] }, { project: ['post'], bid: ['post'] }],
      [
        'reading and changing',
        { may: ['read', 'change'], resources: ['bid', 'event'] },
        { bid: readsAndChange, event: reads },
      ],
      ['creating and changing', { may: ['create', 'change'], resources: ['bid'] }, { bid: ['patch', 'post', 'put'] }],
      ['deleting', { may: ['delete'], resources: ['project'] }, { project: ['delete'] }],
    ] as const)('to %s is described by /rest/v1/, which has nothing else', async (_, narrowing, described) => {
      const { json } = await (await narrowed(narrowing)).get('/')
      expect(methodsOf(json)).toEqual(described)
      const { valid, errors } = await new Validator().validate(json)
      expect([valid, errors]).toEqual([true, undefined])
      expect(danglingOf(json)).toEqual([])
    })

    test('is described in Swagger 2.0 as well', async () => {
      const tenant = await narrowed({ resources: ['project'], may: ['read', 'create'] })
      const { json } = await tenant.get('/', { Accept: 'application/openapi+json;version=2.0' })
      expect(methodsOf(json)).toEqual({ project: ['get', 'post'] })
      expect(danglingOf(json)).toEqual([])
    })

    test('leaves the description for other credentials and other companies as it is', async () => {
      const tenant = await narrowed({ resources: ['project'], may: ['read'] })
      const etag = (await tenant.get('/')).headers.get('ETag')
      const whole = { project: all, bid: all, event: reads, field: reads }
      expect(methodsOf((await world.rival.get('/')).json)).toEqual(whole)
      expect(methodsOf((await world.acme.get('/')).json)).toEqual(whole)
      expect((await world.rival.get('/', { 'If-None-Match': String(etag) })).status).toBe(200)
    })

    test('counts from the moment of the change', async () => {
      const tenant = await world.acme.withCredential('read-write')
      expect((await tenant.get('/bid?limit=1')).status).toBe(200)
      await change(tenant, { resources: ['project'] })
      expect((await tenant.get('/bid?limit=1')).status).toBe(403)
      await change(tenant, {})
      expect((await tenant.get('/bid?limit=1')).status).toBe(200)
    })

    test('tells nothing of another company, and opens nothing of it', async () => {
      const tenant = await narrowed({ resources: ['project'], may: ['read'], access: 'read' })
      expect((await tenant.get(`/project?id=eq.${world.rival.project}`)).json).toEqual([])
      const ref = { companyId: world.rival.id, id: tenant.credentialId }
      const wanted = { access: 'read-write' as const, ...notNarrowed }
      await expect(changeAccess(world.db, ref, () => wanted, commandLine)).rejects.toThrow()
      expect((await tenant.get('/bid')).status).toBe(403)
    })
  },
  { TRUST_PROXY: 'on' },
)
