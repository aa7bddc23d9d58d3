import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { revokeCredential } from '../../src/keys/change.ts'
import { listCredentials } from '../../src/keys/credentials.ts'
import { makeToken } from '../../src/keys/token.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, replyOf, type Tenant, type World } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>
type Part = readonly [name: string, value: (world: World) => string | Promise<string>]
type Case = readonly [name: string, headers: (world: World) => Fields | Promise<Fields>]

const reads = ['GET', 'HEAD'] as const
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const json = { 'Content-Type': 'application/json' }

/** A request of each method that a right credential would be granted, with just these headers. */
async function ask({ base, acme }: World, method: string, headers: Fields, path?: string): Promise<Reply> {
  const row = { bid_id: acme.bid, project_name: 'Written' }
  const bodies: Record<string, object> = { POST: row, PATCH: row, PUT: { ...row, id: acme.project } }
  const target = path ?? (method === 'POST' ? '/project' : `/project?id=eq.${acme.project}`)
  const sent = bodies[method] ? { headers: { ...json, ...headers }, body: JSON.stringify(bodies[method]) } : { headers }
  return replyOf(await fetch(`${base}/rest/v1${target}`, { method, ...sent }))
}

/** Sent as it is written: `fetch` would join or drop a header that is repeated. */
function askRaw({ base, acme }: World, method: string, fields: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(base)
  const lines = [
    `${method} /rest/v1/project?id=eq.${acme.project} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...fields,
  ]
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('data', (part) => {
      answer += part.toString('latin1')
    })
    socket.on('error', reject).on('close', () => resolve(answer))
  })
}

const rowsOf = async (tenant: Tenant): Promise<string> => (await tenant.get('/project')).text
const otherEnd = (token: string): string => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
const aSecondAgo = () => new Date(Date.now() - 1000)

async function revoked({ db, acme }: World): Promise<Tenant> {
  const tenant = await acme.withCredential('read-write')
  await revokeCredential(db, { companyId: acme.id, id: tenant.credentialId })
  return tenant
}

const badKeys: readonly Case[] = [
  ['is missing', ({ acme }) => ({ Authorization: `Bearer ${acme.apiKey}`, 'X-API-Secret': acme.apiSecret })],
  ['is empty', ({ acme }) => ({ ...acme.headers, apikey: '' })],
  ['is malformed', () => ({ apikey: 'sb_publishable_x', Authorization: 'Bearer sb_publishable_x' })],
  ['is malformed: the right one in capitals', ({ acme }) => ({ apikey: acme.apiKey.toUpperCase() })],
  ['is malformed: the right one in quotes', ({ acme }) => ({ ...acme.headers, apikey: `"${acme.apiKey}"` })],
  ['has a bad checksum', ({ acme }) => ({ apikey: otherEnd(acme.apiKey), 'X-API-Secret': acme.apiSecret })],
  ['is unknown', ({ acme }) => ({ apikey: makeToken('key'), 'X-API-Secret': acme.apiSecret })],
  ['is expired', async ({ acme }) => (await acme.withCredential('read-write', aSecondAgo())).headers],
  ['is revoked', async (world) => (await revoked(world)).headers],
]

/** Where the key is valid, and so is the secret. */
const badBearers: readonly Part[] = [
  ['is Basic', ({ acme }) => `Basic ${btoa(`${acme.apiKey}:${acme.apiSecret}`)}`],
  ['is the bare key', ({ acme }) => acme.apiKey],
  ['is empty', () => ''],
  ['is Bearer and nothing', () => 'Bearer'],
  ["is another company's key", ({ rival }) => `Bearer ${rival.apiKey}`],
  ['is another key of the company', async ({ acme }) => `Bearer ${(await acme.withCredential('read-write')).apiKey}`],
  ['is the secret', ({ acme }) => `Bearer ${acme.apiSecret}`],
  ['is the key and more', ({ acme }) => `Bearer ${acme.apiKey} more`],
]

/** Where the key is valid. */
const badSecrets: readonly Part[] = [
  ['is empty', () => ''],
  ['is malformed', () => 'open sesame'],
  ['is wrong', () => makeToken('secret')],
  ['has a bad checksum', ({ acme }) => otherEnd(acme.apiSecret)],
  ['is the key', ({ acme }) => acme.apiKey],
  ["is another company's", ({ rival }) => rival.apiSecret],
  ["is another key's of the company", async ({ acme }) => (await acme.withCredential('read-write')).apiSecret],
  ["is a revoked key's", async (world) => (await revoked(world)).apiSecret],
]

const unscoped: readonly Case[] = [
  ['is missing', ({ acme }) => ({ apikey: acme.apiKey })],
  ['is expired', expiredSecret],
  ...badSecrets.map(([name, secret]): Case => {
    return [name, async (world) => ({ apikey: world.acme.apiKey, 'X-API-Secret': await secret(world) })]
  }),
]

async function expiredSecret({ db, acme }: World): Promise<Fields> {
  const { headers, credentialId } = await acme.withCredential('read-write')
  const at = aSecondAgo().toISOString()
  await db.transact([sql`update credential_secret set expires_at = ${at} where credential_id = ${credentialId}`])
  return headers
}

onEachEngine('the apikey and Authorization', (world) => {
  const refusals: readonly Case[] = [
    ...badKeys.map(([name, headers]): Case => [`apikey ${name}`, headers]),
    ...badBearers.map(([name, bearer]): Case => {
      const headers: Case[1] = async (here) => ({ ...here.acme.headers, Authorization: await bearer(here) })
      return [`apikey valid, Authorization ${name}`, headers]
    }),
  ]
  for (const [name, headers] of refusals) {
    for (const methods of [reads, writes]) {
      test(`${name}: ${methods.join(', ')} → 401`, async () => {
        const before = await rowsOf(world.acme)
        for (const method of methods) {
          const reply = await ask(world, method, await headers(world))
          expect([method, reply.status]).toEqual([method, 401])
          expect(reply.headers.get('WWW-Authenticate')).toBe('Bearer realm="project-api"')
          expect(reply.headers.get('Project-Api-Scope')).toBeNull()
          if (method !== 'HEAD') expect(reply.json.code).toBe('invalid_api_key')
        }
        expect(await rowsOf(world.acme)).toBe(before)
      })
    }
  }

  const bearer = 'Authorization: Bearer'
  const twice: readonly [string, (key: string, other: string) => string[]][] = [
    ['the same apikey', (key) => [`apikey: ${key}`, `apikey: ${key}`]],
    ['a good apikey, then a bad one', (key) => [`apikey: ${key}`, 'apikey: x']],
    ['a bad apikey, then a good one', (key) => ['apikey: x', `APIKEY: ${key}`]],
    ["another company's apikey first", (key, other) => [`apikey: ${other}`, `apikey: ${key}`]],
    ['the same Authorization', (key) => [`apikey: ${key}`, `${bearer} ${key}`, `${bearer} ${key}`]],
    ['another Authorization', (key, other) => [`apikey: ${key}`, `${bearer} ${key}`, `${bearer} ${other}`]],
  ]
  for (const [name, fields] of twice) {
    test(`sent twice: ${name}: GET, HEAD, DELETE → 401`, async () => {
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        const sent = [...fields(world.acme.apiKey, world.rival.apiKey), `X-API-Secret: ${world.acme.apiSecret}`]
        const answer = await askRaw(world, method, sent)
        expect(answer).toStartWith('HTTP/1.1 401 ')
        expect(answer).toMatch(/\r\nwww-authenticate: Bearer realm="project-api"\r\n/i)
      }
      expect(await rowsOf(world.acme)).toContain(world.acme.project)
    })
  }

  test('the X-API-Secret sent twice opens nothing', async () => {
    const secret = `X-API-Secret: ${world.acme.apiSecret}`
    const key = `apikey: ${world.acme.apiKey}`
    const answer = await askRaw(world, 'GET', [key, secret, secret])
    expect(answer).toStartWith('HTTP/1.1 200 ')
    expect(answer).toEndWith('\r\n\r\n[]')
    expect(await askRaw(world, 'DELETE', [key, secret, secret])).toStartWith('HTTP/1.1 403 ')
    expect(await rowsOf(world.acme)).toContain(world.acme.project)
  })

  test('unknown, revoked and expired get one and the same body', async () => {
    const expired = await world.acme.withCredential('read-write', aSecondAgo())
    const keys = [makeToken('key'), expired.apiKey, (await revoked(world)).apiKey]
    const replies = await Promise.all(keys.map((apikey) => ask(world, 'GET', { apikey })))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  test('a credential that was in use is refused at once when it is revoked in the same process', async () => {
    const tenant = await world.acme.withCredential('read-write')
    expect((await tenant.get('/project')).status).toBe(200)
    await revokeCredential(world.db, { companyId: tenant.id, id: tenant.credentialId })
    expect((await tenant.get('/project')).status).toBe(401)
    expect((await tenant.post('/project', { bid_id: tenant.bid, project_name: 'Too late' })).status).toBe(401)
  })

  test('key and secret swapped: the hint says which goes where', async () => {
    const { apiKey, apiSecret } = world.acme
    const swapped = { apikey: apiSecret, Authorization: `Bearer ${apiSecret}`, 'X-API-Secret': apiKey }
    const { status, json: body, text } = await ask(world, 'GET', swapped)
    expect([status, body.code]).toEqual([401, 'invalid_api_key'])
    expect(body.hint).toMatch(/pak_.*apikey.*pas_.*X-API-Secret/)
    expect(text).not.toContain(apiSecret)
  })

  const good: readonly [string, (key: string) => Fields][] = [
    ['absent', () => ({})],
    ['the same key', (key) => ({ Authorization: `Bearer ${key}` })],
    ['the same key, with bearer in small letters', (key) => ({ authorization: `bearer ${key}` })],
  ]
  for (const [name, headers] of good) {
    test(`apikey and secret valid, Authorization ${name}: every method is done for the company`, async () => {
      const { apiKey, apiSecret } = world.acme
      const sent = { apikey: apiKey, ...headers(apiKey), 'X-API-Secret': apiSecret }
      const statuses: Record<string, number> = {}
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PUT']) {
        const reply = await ask(world, method, sent)
        expect(reply.headers.get('Project-Api-Scope')).toBe('company')
        statuses[method] = reply.status
      }
      expect(statuses).toEqual({ GET: 200, HEAD: 200, POST: 201, PUT: 201, PATCH: 204, DELETE: 204 })
    })
  }
})

onEachEngine('the X-API-Secret', (world) => {
  for (const [name, headers] of unscoped) {
    const reason = name === 'is missing' || name === 'is empty' ? 'secret_missing' : 'secret_mismatch'
    const scope = `none; reason=${reason}`

    test(`apikey valid, secret ${name}: GET, HEAD → 200 []`, async () => {
      for (const resource of ['project', 'bid']) {
        const [get, head] = await Promise.all(
          reads.map(async (m) => ask(world, m, await headers(world), `/${resource}`)),
        )
        expect([get?.status, get?.text, get?.headers.get('Project-Api-Scope')]).toEqual([200, '[]', scope])
        expect([head?.status, head?.text, head?.headers.get('Project-Api-Scope')]).toEqual([200, '', scope])
      }
    })

    test(`apikey valid, secret ${name}: POST, PUT, PATCH, DELETE → 403 42501, and nothing is written`, async () => {
      const before = await rowsOf(world.acme)
      for (const method of writes) {
        const reply = await ask(world, method, await headers(world))
        expect([method, reply.status, reply.json.code]).toEqual([method, 403, '42501'])
        expect(reply.headers.get('Project-Api-Scope')).toBe(scope)
      }
      expect(await rowsOf(world.acme)).toBe(before)
    })

    test(`apikey valid, secret ${name}: with handling=strict GET, HEAD → 403 instead of []`, async () => {
      for (const method of reads) {
        const reply = await ask(world, method, { ...(await headers(world)), Prefer: 'handling=strict' })
        expect([method, reply.status, reply.headers.get('Project-Api-Scope')]).toEqual([method, 403, scope])
      }
    })
  }
})

onEachEngine('what every answer to a valid key tells and hides', (world) => {
  const answers: readonly [number, string, string, Fields, string?][] = [
    [400, 'GET', '/project?select=nothing', {}],
    [400, 'GET', '/project?select=(', {}],
    [400, 'POST', '/project', json, '{'],
    [403, 'GET', '/project', { 'Sec-Fetch-Site': 'cross-site' }],
    [404, 'GET', '/invoice', {}],
    [405, 'PUT', '/project', json, '{}'],
    [406, 'GET', '/project', { Accept: 'image/png' }],
    [409, 'POST', '/project', json, `{"project_name":"x","bid_id":"${crypto.randomUUID()}"}`],
    [415, 'POST', '/project', { 'Content-Type': 'text/plain' }, 'x'],
    [416, 'GET', '/project?limit=-1', {}],
  ]
  for (const [status, method, path, headers, body] of answers) {
    test(`Project-Api-Scope is on a ${status} to ${method} ${path}`, async () => {
      const reply = await world.acme.send(method, path, headers, body)
      expect([reply.status, reply.headers.get('Project-Api-Scope')]).toEqual([status, 'company'])
    })
  }

  test('handling=strict changes nothing for a request that has its company', async () => {
    const { status, json: rows } = await world.acme.get('/project', { Prefer: 'handling=strict' })
    expect([status, rows.length]).toEqual([200, 1])
  })

  test('a read-only credential reads, and is 403 insufficient_scope on every write', async () => {
    const reader = await world.acme.withCredential('read')
    const before = await rowsOf(world.acme)
    expect(await rowsOf(reader)).toBe(before)
    for (const method of writes) {
      const reply = await ask(world, method, reader.headers)
      expect([method, reply.status, reply.json.code]).toEqual([method, 403, 'insufficient_scope'])
      expect(reply.headers.get('Project-Api-Scope')).toBe('company')
    }
    expect(await rowsOf(world.acme)).toBe(before)
  })

  const exposure = async ({ credentialId }: Tenant) =>
    (await listCredentials(world.db, world.acme.id)).find(({ id }) => id === credentialId)?.exposedAt

  test('X-API-Secret with Sec-Fetch-Site is 403 secret_in_browser on every method, and marks the credential', async () => {
    for (const [at, method] of [...reads, ...writes].entries()) {
      const tenant = await world.acme.withCredential('read-write')
      const site = ['cross-site', 'same-origin', 'same-site', 'none'][at % 4] ?? 'none'
      const reply = await ask(world, method, { ...tenant.headers, 'Sec-Fetch-Site': site })
      expect([method, reply.status]).toEqual([method, 403])
      if (method !== 'HEAD') expect(reply.json.code).toBe('secret_in_browser')
      expect(Date.parse(String(await exposure(tenant)))).toBeWithin(Date.now() - 60_000, Date.now() + 1000)
    }
    expect(await exposure(world.rival)).toBeUndefined()
  })

  test('a wrong secret from a browser is refused too, but exposes nothing', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const sent = { ...tenant.headers, 'X-API-Secret': makeToken('secret'), 'Sec-Fetch-Site': 'cross-site' }
    const reply = await ask(world, 'GET', sent)
    expect([reply.status, reply.json.code, await exposure(tenant)]).toEqual([403, 'secret_in_browser', null])
  })

  test('Sec-Fetch-Mode alone is fine, and so is a browser without the secret', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const node = await ask(world, 'GET', { ...tenant.headers, 'Sec-Fetch-Mode': 'cors' })
    expect([node.status, node.json.length, await exposure(tenant)]).toEqual([200, 1, null])
    const browser = await ask(world, 'GET', { apikey: tenant.apiKey, 'Sec-Fetch-Site': 'cross-site' })
    expect([browser.status, browser.text]).toEqual([200, '[]'])
  })

  test('no answer carries an Access-Control-Allow-* header, a preflight least of all', async () => {
    const origin = { Origin: 'https://app.example' }
    const preflight = { ...origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'apikey' }
    const replies = [
      await ask(world, 'OPTIONS', preflight),
      await ask(world, 'OPTIONS', { ...preflight, ...world.acme.headers }),
      await ask(world, 'GET', { ...origin, ...world.acme.headers }),
      await ask(world, 'POST', { ...origin, ...world.acme.headers }),
      await ask(world, 'GET', origin),
      await ask(world, 'GET', { ...origin, ...world.acme.headers, 'Sec-Fetch-Site': 'cross-site' }),
      await ask(world, 'OPTIONS', preflight, '/nothing'),
    ]
    for (const { headers } of replies) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('a token in the query string is never accepted', async () => {
    const { apiKey, apiSecret } = world.acme
    for (const name of ['apikey', 'api_key', 'access_token', 'Authorization', 'Bearer']) {
      expect((await ask(world, 'GET', {}, `/project?${name}=${apiKey}&X-API-Secret=${apiSecret}`)).status).toBe(401)
    }
    for (const name of ['X-API-Secret', 'x-api-secret', 'api_secret', 'secret']) {
      const reply = await ask(world, 'GET', { apikey: apiKey }, `/project?${name}=${apiSecret}`)
      expect([reply.status, reply.headers.get('Project-Api-Scope')]).toEqual([400, 'none; reason=secret_missing'])
    }
  })

  const queries = ['apikey=$', 'id=eq.$', 'select=$', 'order=$', '$=eq.1', 'or=($)', 'select=$(*)', 'select=id::$']
  const places: readonly [string, string, string?][] = [
    ...queries.map((query): [string, string] => ['GET', `/project?${query}`]),
    ['GET', '/$'],
    ['POST', '/project', '{"bid_id":"$","project_name":"x"}'],
    ['POST', '/project', '{"$":"x"}'],
  ]
  for (const [method, path, body] of places) {
    test(`a token in a wrong place is not put in the error: ${method} ${path} ${body ?? ''}`, async () => {
      for (const token of [world.acme.apiKey, world.acme.apiSecret, otherEnd(world.acme.apiSecret)]) {
        const reply = await world.acme.send(method, path.replace('$', token), json, body?.replace('$', token))
        expect(reply.status).toBeWithin(400, 500)
        expect(reply.text + JSON.stringify([...reply.headers])).not.toContain(token.slice(4))
      }
    })
  }

  test('no token is ever logged, valid or not', async () => {
    const { apiKey, apiSecret } = world.acme
    const tokens = [apiKey, apiSecret, makeToken('key'), makeToken('secret'), otherEnd(apiKey), otherEnd(apiSecret)]
    for (const token of tokens) {
      for (const headers of [{ apikey: token }, { ...world.acme.headers, 'X-API-Secret': token }]) {
        await ask(world, 'GET', { ...headers, Prefer: token, Accept: token }, `/project?select=${token}`)
        await ask(world, 'POST', { ...headers, 'Content-Type': token }, `/${token}`)
      }
    }
    // Lines wait a moment before they are written.
    const logged = world.logged.join('')
    expect(logged).toContain('"status":401')
    for (const token of tokens) expect(logged).not.toContain(token.slice(4))
  })
})
