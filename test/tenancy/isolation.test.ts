import { afterEach, beforeAll, expect, test } from 'bun:test'
import { type Column, isWritable, type Resource } from '../../src/resources/define.ts'
import { resources as all } from '../../src/resources/index.ts'
import { foreignKeys } from '../../src/resources/relations.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant, World } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>
interface Attack {
  readonly method: string
  readonly path: string
  readonly body?: Body | readonly Body[]
  readonly headers?: Fields
}

/** A row of each resource by its name: what a company has, or what there is not. */
type Ids = Readonly<Record<string, string>>

const json = { 'Content-Type': 'application/json' }
const representation = { Prefer: 'return=representation, count=exact' }
const merge = { Prefer: 'resolution=merge-duplicates, return=minimal' }
const ignore = { Prefer: 'resolution=ignore-duplicates, return=minimal' }
const single = { Accept: 'application/vnd.pgrst.object+json' }
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'

/** What can only be read has tests of its own: test/api/events.test.ts */
const resources = all.filter(({ isReadOnly }) => !isReadOnly)
const relations = resources.flatMap((resource) => foreignKeys(resource).map((key) => ({ resource, ...key })))
const texts = ({ columns }: Resource): Column[] => [...columns.values()].filter(({ type }) => type === 'text')
const changes = (resource: Resource): Body => Object.fromEntries(texts(resource).map(({ name }) => [name, 'Taken']))

/** All that a create has to carry; what it refers to is among `ids`. */
function bodyOf(resource: Resource, ids: Ids, more: Body = {}): Body {
  const own = [...resource.columns.values()].filter((column) => isWritable(column) && !column.primaryKey)
  return {
    ...Object.fromEntries(own.map(({ name, references }) => [name, references ? ids[references] : 'Own'])),
    ...more,
  }
}

/** Every place that takes the id of a row itself: `id` is of a row that acme must not know of. */
function attacksById(resource: Resource, own: Ids, id: string): Attack[] {
  const { name } = resource
  const body = bodyOf(resource, own, { id })
  const reads = [
    `id=eq.${id}`,
    `id=in.(${id})`,
    `id=in.(${id},${own[name]})`,
    `id=eq(any).{${id}}`,
    `id=not.neq.${id}`,
  ].concat(
    [`or=(id.eq.${id},id.eq.${nobody})`, `or=(and(id.eq.${id},id.not.is.null))`, `not.and=(id.neq.${id})`],
    [
      `id=eq.${id}&select=count()`,
      `select=count&id=eq.${id}`,
      `id=eq.${id}&order=created_at.desc&limit=1`,
      `id=neq.${id}`,
    ],
  )
  return [
    ...reads.flatMap((query) =>
      ['GET', 'HEAD'].map((method) => ({ method, path: `/${name}?${query}`, headers: { Prefer: 'count=exact' } })),
    ),
    ...[single, { Accept: 'text/csv' }, { Accept: 'application/x-ndjson' }, { 'If-None-Match': '*' }].map(
      (headers) => ({ method: 'GET', path: `/${name}?id=eq.${id}`, headers }),
    ),
    ...[representation, {}, single, { 'If-Match': '*' }, { Prefer: 'handling=strict, max-affected=0' }].flatMap(
      (headers) => [
        { method: 'PATCH', path: `/${name}?id=eq.${id}`, headers, body: changes(resource) },
        { method: 'DELETE', path: `/${name}?id=eq.${id}`, headers },
      ],
    ),
    { method: 'DELETE', path: `/${name}?id=in.(${id})&or=(id.eq.${id})`, headers: representation },
    { method: 'PUT', path: `/${name}?id=eq.${id}`, body },
    { method: 'POST', path: `/${name}`, body, headers: { Prefer: 'return=minimal' } },
    { method: 'POST', path: `/${name}`, body: [body], headers: merge },
    { method: 'POST', path: `/${name}?on_conflict=id`, body, headers: ignore },
    { method: 'POST', path: `/${name}?columns=id,${Object.keys(bodyOf(resource, own))}`, body, headers: merge },
  ]
}

/** Every place that takes a reference or an embed: `ids` are of rows that acme must not know of. */
function attacksByReference(own: Ids, ids: Ids): Attack[] {
  return relations.flatMap(({ resource, own: { name: column }, target }) => {
    const [from, to, id] = [resource.name, target.name, ids[target.name]]
    const body = bodyOf(resource, ids)
    const read = (path: string) => ({ method: 'GET', path, headers: { Prefer: 'count=exact' } })
    return [
      { method: 'POST', path: `/${from}`, body },
      { method: 'POST', path: `/${from}?select=*,${to}(*)`, body, headers: representation },
      { method: 'POST', path: `/${from}`, body: [bodyOf(resource, own), body] },
      { method: 'POST', path: `/${from}`, body: { ...body, id: own[from] }, headers: merge },
      { method: 'PUT', path: `/${from}?id=eq.${own[from]}`, body: { ...body, id: own[from] } },
      { method: 'PATCH', path: `/${from}?id=eq.${own[from]}`, body: { [column]: id } },
      { method: 'PATCH', path: `/${from}?${column}=eq.${id}`, body: changes(resource), headers: representation },
      { method: 'DELETE', path: `/${from}?${column}=eq.${id}`, headers: representation },
      ...[`${column}=eq.${id}`, `${column}=in.(${id})`, `or=(${column}.eq.${id},id.eq.${ids[from]})`].map((query) =>
        read(`/${from}?${query}`),
      ),
      ...['', '!inner'].flatMap((join) => [
        read(`/${from}?select=*,${to}${join}(*)&${to}.id=eq.${id}`),
        read(`/${from}?select=*,...${to}${join}(other:id)&${to}.id=eq.${id}`),
        read(`/${to}?select=*,${from}${join}(*)&${from}.id=eq.${ids[from]}`),
        read(`/${to}?select=*,${from}${join}(*)&${from}.${column}=eq.${id}`),
        read(`/${to}?select=*,${from}${join}(count)&${from}.or=(id.eq.${ids[from]})`),
        read(`/${from}?select=id,${to}${join}(id,${from}(id))&${to}.${from}.id=eq.${ids[from]}`),
      ]),
    ]
  })
}

const send = (tenant: Tenant, { method, path, headers, body }: Attack): Promise<Reply> =>
  tenant.send(method, path, { ...(body ? json : {}), ...headers }, body && JSON.stringify(body))

/** All that a client sees of an answer, but for the ids that it sent itself and what differs between any two answers. */
function seen({ status, headers, text }: Reply, sent: Ids): string {
  const shown = [...headers].filter(([name]) => !['x-request-id', 'date', 'server-timing'].includes(name))
  return Object.values(sent).reduce(
    (all, id) => all.replaceAll(id, '<id>'),
    JSON.stringify([status, shown, text], null, 1),
  )
}

/** Everything that a company can see of itself. */
async function everything(tenant: Tenant): Promise<string> {
  const replies = await Promise.all(resources.map(({ name }) => tenant.get(`/${name}?order=id`)))
  return replies.map(({ text }) => text).join('\n')
}

async function idsOf(tenant: Tenant): Promise<Ids> {
  const found = resources.map(async ({ name }) => [name, (await tenant.get(`/${name}?limit=1`)).json[0]?.id])
  const ids: Ids = Object.fromEntries(await Promise.all(found))
  for (const { name } of resources) if (!ids[name]) throw new Error(`Give each company of the world a ${name}`)
  return ids
}

onEachEngine('acme and what is of rival', (world) => {
  let own: Ids
  let theirs: Ids
  let before: string
  const absent: Ids = Object.fromEntries(resources.map(({ name }) => [name, crypto.randomUUID()]))

  beforeAll(async () => {
    ;[own, theirs, before] = [await idsOf(world.acme), await idsOf(world.rival), await everything(world.rival)]
  })
  afterEach(async () => {
    expect(await everything(world.rival)).toBe(before)
  })

  /** The same question about a row of rival and about none at all, each in the same world. */
  async function expectAlike(question: (ids: Ids) => Attack): Promise<void> {
    const answers: string[] = []
    for (const ids of [theirs, absent]) {
      answers.push(seen(await send(world.acme, question(ids)), ids))
      expect(await everything(world.rival)).toBe(before)
      for (const { name } of resources.toReversed()) await world.acme.delete(`/${name}?id=in.(${Object.values(ids)})`)
    }
    expect(answers[0]).toBe(answers[1] ?? '')
  }

  const someIds: Ids = Object.fromEntries(resources.map(({ name }) => [name, name]))
  for (const resource of resources) {
    for (const [at, { method, path, headers }] of attacksById(resource, someIds, 'ID').entries()) {
      const how = headers ? ` (${Object.values(headers)})` : ''
      test(`${method} ${path.replace(/[0-9a-f-]{36}/, 'none')}${how} cannot tell a ${resource.name} of rival from none`, () =>
        expectAlike((ids) => attacksById(resource, own, ids[resource.name] ?? '')[at] ?? { method, path }))
    }
  }

  for (const [at, { method, path }] of attacksByReference(someIds, someIds).entries()) {
    test(`${method} ${path} cannot refer to rows of rival (${at})`, async () => {
      await expectAlike((ids) => attacksByReference(own, ids)[at] ?? { method, path })
      if (method === 'POST' || method === 'PUT') {
        const { status, json: error } = await send(world.acme, attacksByReference(own, theirs)[at] ?? { method, path })
        expect([status, error.code]).toEqual([409, '23503'])
      }
    })
  }

  test('no list, embed or order of acme shows anything of rival', async () => {
    const paths = [
      ...resources.map(({ name }) => `/${name}`),
      ...relations.flatMap(({ resource: { name: from }, target }) => [
        `/${from}?select=*,${target.name}(*)`,
        `/${from}?select=*,...${target.name}(*)`,
        `/${target.name}?select=*,${from}(*,${target.name}(*))`,
        `/${target.name}?select=*,...${from}(other:id)`,
        ...texts(target).map(({ name }) => `/${from}?select=*,${target.name}(*)&order=${target.name}(${name}).desc`),
      ]),
    ]
    for (const path of paths) {
      const { status, text } = await world.acme.get(path)
      expect([path, status]).toEqual([path, 200])
      for (const secret of [...Object.values(theirs), world.rival.id, 'Rival']) expect(text).not.toContain(secret)
    }
  })

  for (const { name } of resources) {
    test(`a count of ${name} does not count what rival has`, async () => {
      const { headers } = await world.acme.head(`/${name}`, { Prefer: 'count=exact' })
      expect(headers.get('Content-Range')).toBe('0-0/1')
      expect((await world.acme.get(`/${name}?select=count()`)).json).toEqual([{ count: 1 }])
    })

    const company: readonly [string, string, number][] = [
      ['GET', `/${name}?company_id=eq.ID`, 400],
      ['GET', `/${name}?select=company_id`, 400],
      ['GET', `/${name}?order=company_id`, 400],
      ['GET', `/${name}?or=(company_id.eq.ID)`, 400],
      ['PATCH', `/${name}?company_id=eq.ID`, 400],
      ['DELETE', `/${name}?company_id=eq.ID`, 400],
      ['POST', `/${name}`, 400],
      ['POST', `/${name}?columns=company_id`, 400],
      ['POST', `/${name}?on_conflict=company_id,id`, 400],
    ]
    for (const [method, path, status] of company) {
      test(`${method} ${path} cannot name the company`, async () => {
        const body = ['POST', 'PATCH'].includes(method) ? JSON.stringify({ company_id: world.rival.id }) : undefined
        const reply = await world.acme.send(method, path.replace('ID', world.rival.id), { ...json, ...merge }, body)
        expect(reply.status).toBe(status)
        expect(reply.text).not.toContain(world.rival.id)
      })
    }

    for (const [whose, headers] of [
      [
        "acme's key with rival's secret",
        ({ acme, rival }: World) => ({ apikey: acme.apiKey, 'X-API-Secret': rival.apiSecret }),
      ],
      [
        "rival's key with acme's secret",
        ({ acme, rival }: World) => ({ apikey: rival.apiKey, 'X-API-Secret': acme.apiSecret }),
      ],
    ] as const) {
      test(`${whose} opens no ${name}, whatever the method`, async () => {
        for (const method of methods) {
          const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : null
          const url = `${world.base}/rest/v1/${name}?id=eq.${theirs[name]}`
          const response = await fetch(url, { method, headers: { ...json, ...headers(world) }, body })
          const isRead = method === 'GET' || method === 'HEAD'
          expect([method, response.status]).toEqual([method, isRead ? 200 : 403])
          if (method === 'GET') expect(await response.text()).toBe('[]')
        }
      })
    }

    test(`acme may use the id of a ${name} of rival for its own, and changes and deletes only its own`, async () => {
      const resource = resources.find((one) => one.name === name) ?? resources[0]
      const id = theirs[name]
      const body = resource ? bodyOf(resource, own, { id }) : {}
      expect((await world.acme.post(`/${name}`, body)).status).toBe(201)
      expect((await world.acme.post(`/${name}`, body)).status).toBe(409)
      const changed = await world.acme.patch(`/${name}?id=eq.${id}`, resource ? changes(resource) : {}, representation)
      expect(changed.json).toEqual([expect.objectContaining(resource ? changes(resource) : {})])
      expect(await everything(world.rival)).toBe(before)
      expect((await world.acme.delete(`/${name}?id=eq.${id}`, representation)).json).toHaveLength(1)
    })
  }

  test('two walls: the foreign key refuses what the code above it would let through', async () => {
    const now = new Date().toISOString()
    const insert = sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
      values (${world.acme.id}, ${crypto.randomUUID()}, ${world.rival.bid}, 'Smuggled', ${now}, ${now})`
    const update = sql`update project set bid_id = ${world.rival.bid} where company_id = ${world.acme.id}`
    for (const statement of [insert, update]) {
      const problem = await world.db.transact([statement]).then(
        () => 'none',
        (error) => world.db.explain(error),
      )
      expect(problem).toBe('foreign key')
    }
  })

  test('the widest change and the widest delete of acme end where rival begins', async () => {
    for (const resource of resources.toReversed()) {
      const wide = `/${resource.name}?id=not.is.null`
      expect((await world.acme.patch(wide, changes(resource), representation)).json).toHaveLength(1)
      expect((await world.acme.delete(wide, representation)).json).toHaveLength(1)
      expect((await world.acme.get(`/${resource.name}`)).text).toBe('[]')
    }
  })
})

onEachEngine('two walls: without the foreign key', (world) => {
  test('a project of acme that points at a bid of rival shows neither company the other', async () => {
    const now = new Date().toISOString()
    // SQLite cannot drop a constraint, and a new table would not be on the nodes of a cluster.
    const withoutKey = world.db.isSpread
      ? [sql`alter table project drop constraint project_bid_id_fkey`]
      : [sql`alter table project rename to walled`, sql`create table project as select * from walled`]
    await world.db.transact([
      ...withoutKey,
      sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
        values (${world.acme.id}, ${crypto.randomUUID()}, ${world.rival.bid}, 'Smuggled', ${now}, ${now})`,
    ])
    const { json: projects } = await world.acme.get(
      '/project?project_name=eq.Smuggled&select=other:bid(*),...bid(bid_name)',
    )
    expect(projects).toEqual([{ other: null, bid_name: null }])
    expect((await world.acme.get('/project?project_name=eq.Smuggled&select=id,bid!inner(*)')).text).toBe('[]')
    expect((await world.rival.get('/bid?select=project(project_name)')).json).toEqual([
      { project: [{ project_name: "Rival's project" }] },
    ])
  })
})
