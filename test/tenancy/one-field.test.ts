import { expect, test } from 'bun:test'
import { createClient } from '@supabase/supabase-js'
import { revokeCredential } from '../../src/keys/change.ts'
import { listCredentials } from '../../src/keys/credentials.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { makeToken } from '../../src/keys/token.ts'
import { commandLine } from '../../src/people/audit.ts'
import { onEachEngine } from '../support/engines.ts'
import { sendRaw } from '../support/raw.ts'
import { type Reply, replyOf, type Tenant, type World } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>
interface Tokens {
  readonly key: string
  readonly secret: string
}

const json = { 'Content-Type': 'application/json' }

/** The three headers of the specification, and every form in which one text carries the same. */
const threeHeaders = ({ key, secret }: Tokens): Fields => ({
  apikey: key,
  Authorization: `Bearer ${key}`,
  'X-API-Secret': secret,
})
const joinedForms: Readonly<Record<string, (tokens: Tokens) => Fields>> = {
  'as apikey alone': ({ key, secret }) => ({ apikey: `${key}.${secret}` }),
  'as apikey and Bearer': ({ key, secret }) => ({
    apikey: `${key}.${secret}`,
    Authorization: `Bearer ${key}.${secret}`,
  }),
  'as apikey, with the plain key as Bearer': ({ key, secret }) => ({
    apikey: `${key}.${secret}`,
    Authorization: `Bearer ${key}`,
  }),
  'as Bearer, with the plain key as apikey': ({ key, secret }) => ({
    apikey: key,
    Authorization: `Bearer ${key}.${secret}`,
  }),
  'as apikey, with the same X-API-Secret': ({ key, secret }) => ({
    apikey: `${key}.${secret}`,
    'X-API-Secret': secret,
  }),
  'as apikey, with an empty X-API-Secret': ({ key, secret }) => ({ apikey: `${key}.${secret}`, 'X-API-Secret': '' }),
}

const tokensOf = ({ apiKey, apiSecret }: Tenant): Tokens => ({ key: apiKey, secret: apiSecret })
const fresh = (world: World) => world.acme.withCredential('read-write')
const refOf = ({ id: companyId, credentialId: id }: Tenant) => ({ companyId, id })

async function rotated(world: World, graceSeconds: 0 | 3600, wanted: 'old' | 'new'): Promise<Tokens> {
  const tenant = await fresh(world)
  const { apiSecret } = await rotateCredential(world.db, refOf(tenant), { graceSeconds, by: commandLine })
  return { key: tenant.apiKey, secret: wanted === 'new' ? apiSecret : tenant.apiSecret }
}

/** A credential in every state, and what becomes of a read and of a write with it. */
const states: readonly (readonly [string, number, number, (world: World) => Promise<Tokens>])[] = [
  ['valid', 200, 204, async (world) => tokensOf(await fresh(world))],
  ['read-only', 200, 403, async ({ acme }) => tokensOf(await acme.withCredential('read'))],
  ['rotated, with the new secret', 200, 204, (world) => rotated(world, 3600, 'new')],
  ['rotated, with the old secret within its grace', 200, 204, (world) => rotated(world, 3600, 'old')],
  ['rotated, with an old secret that has ended', 200, 403, (world) => rotated(world, 0, 'old')],
  [
    'with a secret that was never made',
    200,
    403,
    async ({ acme }) => ({ key: acme.apiKey, secret: makeToken('secret') }),
  ],
  [
    "with another company's secret",
    200,
    403,
    async ({ acme, rival }) => ({ key: acme.apiKey, secret: rival.apiSecret }),
  ],
  ['with something that is no secret', 200, 403, async ({ acme }) => ({ key: acme.apiKey, secret: 'sesame' })],
  ['with an empty secret', 200, 403, async ({ acme }) => ({ key: acme.apiKey, secret: '' })],
  ['with an unknown key', 401, 401, async ({ acme }) => ({ key: makeToken('key'), secret: acme.apiSecret })],
  ['with key and secret swapped', 401, 401, async ({ acme }) => ({ key: acme.apiSecret, secret: acme.apiKey })],
  [
    'expired',
    401,
    401,
    async ({ acme }) => tokensOf(await acme.withCredential('read-write', new Date(Date.now() - 1000))),
  ],
  [
    'revoked',
    401,
    401,
    async (world) => {
      const tenant = await fresh(world)
      await revokeCredential(world.db, refOf(tenant))
      return tokensOf(tenant)
    },
  ],
]

onEachEngine('one text with key and secret', (world) => {
  const ask = async (method: string, headers: Fields, path = '/project'): Promise<Reply> => {
    const sent =
      method === 'PATCH' ? { headers: { ...json, ...headers }, body: '{"project_name":"Written"}' } : { headers }
    const target = method === 'PATCH' ? `/project?id=eq.${world.acme.project}` : path
    return replyOf(await fetch(`${world.base}/rest/v1${target}`, { method, ...sent }))
  }
  const told = ({ status, text, headers }: Reply) => ({
    status,
    text,
    scope: headers.get('Project-Api-Scope'),
    challenge: headers.get('WWW-Authenticate'),
  })

  for (const [state, readStatus, writeStatus, make] of states) {
    test(`of a credential ${state} is answered as the three headers are`, async () => {
      const tokens = await make(world)
      for (const [method, status] of [
        ['GET', readStatus],
        ['HEAD', readStatus],
        ['PATCH', writeStatus],
      ] as const) {
        const expected = told(await ask(method, threeHeaders(tokens)))
        expect(expected.status).toBe(status)
        for (const [form, headers] of Object.entries(joinedForms))
          expect({ form, method, ...told(await ask(method, headers(tokens))) }).toEqual({ form, method, ...expected })
      }
    })
  }

  test('opens the company of its secret and no other', async () => {
    const { json: own } = await ask('GET', { apikey: `${world.rival.apiKey}.${world.rival.apiSecret}` })
    expect(own.map(({ id }: { id: string }) => id)).toEqual([world.rival.project])
  })

  test('with another X-API-Secret beside it counts as a wrong secret, whichever of the two is right', async () => {
    const { apiKey, apiSecret } = world.acme
    const other = makeToken('secret')
    for (const headers of [
      { apikey: `${apiKey}.${apiSecret}`, 'X-API-Secret': other },
      { apikey: `${apiKey}.${other}`, 'X-API-Secret': apiSecret },
      { apikey: apiKey, Authorization: `Bearer ${apiKey}.${apiSecret}`, 'X-API-Secret': other },
      { apikey: apiKey, Authorization: `Bearer ${apiKey}.${other}`, 'X-API-Secret': apiSecret },
    ]) {
      const read = await ask('GET', headers)
      expect([read.status, read.text]).toEqual([200, '[]'])
      expect(read.headers.get('Project-Api-Scope')).toBe('none; reason=secret_mismatch')
      expect((await ask('PATCH', headers)).status).toBe(403)
    }
  })

  test('is 401 where it is not the same in both headers, where apikey is missing, and where it was sent twice', async () => {
    const { apiKey, apiSecret } = world.acme
    const text = `${apiKey}.${apiSecret}`
    const refused: readonly Fields[] = [
      { Authorization: `Bearer ${text}` },
      { Authorization: `Bearer ${text}`, 'X-API-Secret': apiSecret },
      { apikey: text, Authorization: `Bearer ${apiKey}.${makeToken('secret')}` },
      { apikey: text, Authorization: `Bearer ${world.rival.apiKey}` },
      { apikey: apiKey, Authorization: `Bearer ${world.rival.apiKey}.${apiSecret}` },
      { apikey: text, Authorization: `Basic ${text}` },
      { apikey: text, Authorization: text },
      { apikey: `.${apiSecret}` },
      { apikey: `${text}, ${text}` },
      { apikey: `${apiKey}:${apiSecret}` },
    ]
    for (const headers of refused) {
      const { status, json: body } = await ask('GET', headers)
      expect([headers, status, body.code]).toEqual([headers, 401, 'invalid_api_key'])
    }
    // fetch would join the two.
    const twice = sendRaw(world.base, 'GET /rest/v1/project', { apikey: text, APIKEY: text, Connection: 'close' })
    expect(await twice.ended).toStartWith('HTTP/1.1 401 ')
  })

  test('from a browser is refused and marks the credential, wherever it stands', async () => {
    const exposed = async ({ credentialId }: Tenant) =>
      (await listCredentials(world.db, world.acme.id)).find(({ id }) => id === credentialId)?.exposedAt
    for (const headers of Object.values(joinedForms)) {
      const tenant = await fresh(world)
      const reply = await ask('GET', { ...headers(tokensOf(tenant)), 'Sec-Fetch-Site': 'cross-site' })
      expect([reply.status, reply.json.code]).toEqual([403, 'secret_in_browser'])
      expect(await exposed(tenant)).toBeString()
    }
    const tenant = await fresh(world)
    const wrong = { apikey: `${tenant.apiKey}.${makeToken('secret')}`, 'Sec-Fetch-Site': 'none' }
    expect((await ask('GET', wrong)).json.code).toBe('secret_in_browser')
    expect(await exposed(tenant)).toBeNull()
  })

  test('is neither logged nor told again, and never taken from the address', async () => {
    const { apiKey, apiSecret } = world.acme
    const text = `${apiKey}.${apiSecret}`
    const replies = await Promise.all([
      ask('GET', { apikey: text }, `/project?select=${text}`),
      ask('GET', { apikey: text }, `/${text}`),
      ask('GET', { apikey: text, Prefer: text, Accept: text }),
      ask('GET', { apikey: `${text}x` }),
      ask('GET', {}, `/project?apikey=${text}`),
    ])
    expect(replies.map(({ status }) => status)).toEqual([400, 404, 406, 200, 401])
    const seen = replies.map(({ text: body, headers }) => body + JSON.stringify([...headers])).join('')
    for (const token of [apiKey, apiSecret]) expect(seen + world.logged.join('')).not.toContain(token.slice(4))
  })

  test('is all that supabase-js needs', async () => {
    const { apiKey, apiSecret, project } = world.acme
    const { data, error } = await createClient(world.base, `${apiKey}.${apiSecret}`).from('project').select('id')
    expect([error, data]).toEqual([null, [{ id: project }]])
  })
})
