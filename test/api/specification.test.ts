import { expect, test } from 'bun:test'
import { listCredentials } from '../../src/keys/credentials.ts'
import { makeToken } from '../../src/keys/token.ts'
import { project, resources } from '../../src/resources/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, replyOf, type Tenant } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>

/** Sends just these headers, none of the company's. */
async function ask(tenant: Tenant, base: string, headers: Fields, method = 'GET'): Promise<Reply> {
  const body = JSON.stringify({ bid_id: tenant.bid, project_name: 'Not to be made' })
  const sent = method === 'POST' ? { method, headers: { ...headers, 'Content-Type': 'application/json' }, body } : {}
  return replyOf(await fetch(`${base}/rest/v1/project`, { method, headers, ...sent }))
}

const columns = [...project.columns.keys()].toSorted()
const columnsOf = (row: object): string[] => Object.keys(row).toSorted()
const absentBid = '01890a5d-ac96-774b-bcce-b302099a8057'

onEachEngine('the specification, 4.1 list projects', (world) => {
  test('4.1: GET {base_url}/rest/v1/project answers with a JSON array', async () => {
    const { status, headers, json } = await world.acme.get('/project')
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(json).toBeArray()
  })

  test("4.1: the array holds project objects belonging to the caller's company, and no others", async () => {
    expect((await world.acme.get('/project?select=id')).json).toEqual([{ id: world.acme.project }])
    expect((await world.rival.get('/project?select=id')).json).toEqual([{ id: world.rival.project }])
  })

  for (const query of ['', '?select=*', '?select=']) {
    test(`4.1 rule 1: when select is * or omitted, each object carries all columns (${query || 'omitted'})`, async () => {
      const { status, json } = await world.acme.get(`/project${query}`)
      expect([status, json.map(columnsOf)]).toEqual([200, [columns]])
    })
  }

  for (const list of ['id,project_name', 'project_name', 'bid_id,id', ...columns]) {
    test(`4.1 rule 2: when select is a list, each object carries only the listed columns (${list})`, async () => {
      await world.acme.seed(['One more'])
      const { status, json } = await world.acme.get(`/project?select=${list}`)
      expect(status).toBe(200)
      for (const row of json) expect(columnsOf(row)).toEqual(list.split(',').toSorted())
    })
  }

  test('4.1 rule 3: when the request is not scoped to a company, the result is an empty array', async () => {
    const { apikey, Authorization } = world.acme.headers
    const { status, text } = await ask(world.acme, world.base, {
      apikey: `${apikey}`,
      Authorization: `${Authorization}`,
    })
    expect([status, text]).toEqual([200, '[]'])
  })
})

onEachEngine('the specification, 4.2 create a project', (world) => {
  test('4.2: POST {base_url}/rest/v1/project with a JSON object of bid_id and project_name creates it', async () => {
    const made = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'Harbour' })
    expect(made.status).toBe(201)
    const { json } = await world.acme.get(`/project?id=eq.${made.json.id}&select=bid_id,project_name`)
    expect(json).toEqual([{ bid_id: world.acme.bid, project_name: 'Harbour' }])
  })

  test('2: id is not sent by the client, and appears as a selectable column', async () => {
    const { json } = await world.acme.post('/project?select=id', { bid_id: world.acme.bid, project_name: 'Quay' })
    expect(json.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  const incomplete: readonly [string, object][] = [
    ['bid_id', { project_name: 'No bid' }],
    ['project_name', { bid_id: absentBid }],
    ['bid_id and project_name', {}],
  ]
  for (const [field, body] of incomplete) {
    test(`4.2: ${field} required: a create without is rejected`, async () => {
      const before = await world.acme.get('/project')
      const { status, json } = await world.acme.post('/project', body)
      expect([status, json.code]).toEqual([400, '23502'])
      expect((await world.acme.get('/project')).text).toBe(before.text)
    })
  }

  test('4.2: bid_id is a string (UUID): anything else is rejected', async () => {
    for (const bid_id of ['7', 7, true, {}, []]) {
      const { status, json } = await world.acme.post('/project', { bid_id, project_name: 'No UUID' })
      expect([status, json.code]).toEqual([400, '22P02'])
    }
  })

  test('4.2: project_name is a string: any other JSON value is taken as its text, and null is rejected', async () => {
    for (const [sent, kept] of [
      [7, '7'],
      [true, 'true'],
      [{}, '{}'],
      [[], '[]'],
    ]) {
      const { status, json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: sent })
      expect([status, json.project_name]).toEqual([201, kept])
    }
    const { status, json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: null })
    expect([status, json.code]).toEqual([400, '23502'])
  })

  test('4.2 rule 1: when bid_id does not resolve to an existing bid, the request is rejected', async () => {
    const before = await world.acme.get('/project')
    const { status, json } = await world.acme.post('/project', { bid_id: absentBid, project_name: 'No bid' })
    expect([status, json.code]).toEqual([409, '23503'])
    expect((await world.acme.get('/project')).text).toBe(before.text)
  })

  test('4.2 rule 1: a bid of another company does not resolve', async () => {
    const { status, json } = await world.acme.post('/project', { bid_id: world.rival.bid, project_name: 'Not ours' })
    expect([status, json.code]).toEqual([409, '23503'])
  })

  test('4.2 rule 2 (contract 4): success is 201 with the created object and its Location', async () => {
    const sent = { bid_id: world.acme.bid, project_name: 'Lock' }
    const { status, headers, json } = await world.acme.post('/project', sent)
    expect([status, headers.get('Location')]).toEqual([201, `/rest/v1/project?id=eq.${json.id}`])
    expect(json).toMatchObject(sent)
    expect(columnsOf(json)).toEqual(columns)
  })

  test('4.3 (contract 1): no column of the company is part of any resource', () => {
    for (const { columns: known } of resources) expect([...known.keys()]).not.toContain('company_id')
  })
})

onEachEngine('the specification, 5 authentication and 7 errors', (world) => {
  test('5: every request sends the same key as apikey and as Bearer, and the secret scopes it to the company', async () => {
    const { status, json } = await ask(world.acme, world.base, world.acme.headers)
    expect([status, json[0].id]).toEqual([200, world.acme.project])
  })

  test('5 rule 1: the key and the secret are both generated: no two are alike, and the secret is not kept', async () => {
    const other = await world.acme.withCredential('read-write')
    expect(other.apiKey).not.toBe(world.acme.apiKey)
    expect(other.apiSecret).not.toBe(world.acme.apiSecret)
    expect(JSON.stringify(await listCredentials(world.db, null))).not.toContain('pas_')
  })

  test('5 rule 2: anyone holding the secret can read and write the projects, so a browser is refused', async () => {
    const { status, json } = await world.acme.get('/project', { 'Sec-Fetch-Site': 'same-origin' })
    expect([status, json.code]).toEqual([403, 'secret_in_browser'])
  })

  const refused: readonly [string, Fields][] = [
    ['missing', {}],
    ['wrong', { apikey: 'wrong' }],
    ['of the right form, but never made', { apikey: makeToken('key') }],
  ]
  for (const [what, key] of refused) {
    for (const method of ['GET', 'POST']) {
      test(`5 rule 3, 7 row 1: when the apikey is ${what}, ${method} is 401 Unauthorized`, async () => {
        const reply = await ask(world.acme, world.base, { 'X-API-Secret': world.acme.apiSecret, ...key }, method)
        expect([reply.status, reply.json.code]).toEqual([401, 'invalid_api_key'])
      })
    }
  }

  const unscoped: readonly [string, Fields][] = [
    ['missing', {}],
    ['wrong', { 'X-API-Secret': 'wrong' }],
    ['of the right form, but never made', { 'X-API-Secret': makeToken('secret') }],
  ]
  for (const [what, secret] of unscoped) {
    test(`5 rule 4, 7 row 2: with a valid key and the secret ${what}, a list is [] and no error`, async () => {
      const { status, text } = await ask(world.acme, world.base, { apikey: world.acme.apiKey, ...secret })
      expect([status, text]).toEqual([200, '[]'])
    })

    test(`5 rule 4 (contract 2): with a valid key and the secret ${what}, nothing is created`, async () => {
      const before = await world.acme.get('/project')
      const { status, json } = await ask(world.acme, world.base, { apikey: world.acme.apiKey, ...secret }, 'POST')
      expect([status, json.code]).toEqual([403, '42501'])
      expect((await world.acme.get('/project')).text).toBe(before.text)
    })
  }

  test('7 row 3: POST with a bid_id that does not resolve to an existing bid is rejected, 409', async () => {
    const reply = await world.acme.post('/project', { bid_id: absentBid, project_name: 'No bid' })
    expect(reply.status).toBe(409)
    expect(columnsOf(reply.json)).toEqual(['code', 'details', 'hint', 'message'])
    expect(reply.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  })

  test('9: the version is carried in the path prefix, and only v1 is there', async () => {
    for (const prefix of ['/rest/v2', '/rest', '']) {
      const { status } = await fetch(`${world.base}${prefix}/project`, { headers: world.acme.headers })
      expect(status).toBe(404)
    }
  })
})
