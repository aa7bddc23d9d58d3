import { describe, expect, test } from 'bun:test'
import { revokeCredential } from '../../src/keys/change.ts'
import { makeToken } from '../../src/keys/token.ts'
import { onEachEngine } from '../support/engines.ts'
import { holdPost } from '../support/raw.ts'
import { replyOf, type World } from '../support/world.ts'
import { joined, post } from './agent.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const call = (name: string, given: unknown) => ({
  ...list,
  method: 'tools/call',
  params: { name, arguments: given },
})

type Fields = Record<string, string>

const ways: readonly [string, (world: World) => Fields, number, string?][] = [
  ['key and secret joined as Bearer alone', ({ acme }) => joined(acme), 200],
  ['the headers of /rest/v1', ({ acme }) => acme.headers, 200],
  ['apikey and secret', ({ acme: { apiKey, apiSecret } }) => ({ apikey: apiKey, 'X-API-Secret': apiSecret }), 200],
  [
    'the key as Bearer, and the secret',
    ({ acme: { apiKey, apiSecret } }) => ({ Authorization: `Bearer ${apiKey}`, 'X-API-Secret': apiSecret }),
    200,
  ],
  ['the same secret twice', ({ acme }) => ({ ...joined(acme), 'X-API-Secret': acme.apiSecret }), 200],
  ['nothing', () => ({}), 401, 'invalid_api_key'],
  ['a key that is unknown', () => ({ Authorization: `Bearer ${makeToken('key')}` }), 401, 'invalid_api_key'],
  ['the secret alone', ({ acme }) => ({ Authorization: `Bearer ${acme.apiSecret}` }), 401, 'invalid_api_key'],
  ['the key alone', ({ acme }) => ({ Authorization: `Bearer ${acme.apiKey}` }), 403, '42501'],
  ['a wrong secret', ({ acme }) => ({ Authorization: `Bearer ${acme.apiKey}.${makeToken('secret')}` }), 403, '42501'],
  [
    'the secret of another company',
    ({ acme, rival }) => ({ Authorization: `Bearer ${acme.apiKey}.${rival.apiSecret}` }),
    403,
    '42501',
  ],
  [
    'another secret beside it',
    ({ acme, rival }) => ({ ...joined(acme), 'X-API-Secret': rival.apiSecret }),
    403,
    '42501',
  ],
  ['a browser', ({ acme }) => ({ ...joined(acme), 'Sec-Fetch-Site': 'same-origin' }), 403, 'secret_in_browser'],
]

onEachEngine('/mcp', (world) => {
  for (const [what, headers, status, code] of ways) {
    test(`answers ${status} to ${what}`, async () => {
      const reply = await replyOf(await post(world, list, headers(world)))
      expect([reply.status, reply.json.code]).toEqual([status, code])
      if (status === 200) expect(reply.json.result.tools).toHaveLength(14)
    })
  }

  test('lists nothing to a sender who has lost the right while the message was on its way', async () => {
    const tenant = await world.acme.withCredential('read')
    const held = holdPost(world.base, '/mcp', joined(tenant), list)
    const neighbour = holdPost(world.base, '/mcp', joined(world.rival), list)
    await Promise.all([held.begun, neighbour.begun])
    await revokeCredential(world.db, { companyId: tenant.id, id: tenant.credentialId })
    expect(await held.finish()).toStartWith('HTTP/1.1 401 ')
    expect(await neighbour.finish()).toStartWith('HTTP/1.1 200 ')
  })

  test('refuses a message that is deep or has very many values, before the SDK looks at it', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_bid","arguments":{"bid_name":${'['.repeat(40_000)}${']'.repeat(40_000)}}}}`
    const wide = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"icons":[0${',0'.repeat(100_000)}]}}}`
    for (const message of [deep, wide]) {
      const reply = await replyOf(await post(world, message, joined(world.acme)))
      expect([reply.status, reply.json.code]).toEqual([400, 'PGRST100'])
    }
  })

  test('counts nothing inside of strings, and looks at a string without an end once', async () => {
    const texts = call('create_bid', { bid_name: `"\\${'[{,'.repeat(80)}` })
    expect((await replyOf(await post(world, texts, joined(world.acme)))).json.result.isError).toBe(false)
    const endless = `{"jsonrpc":"${'\\"'.repeat(120_000)}`
    const reply = await replyOf(await post(world, endless, joined(world.acme)))
    expect([reply.status, reply.json.code]).toEqual([400, 'PGRST102'])
  })

  test('repeats no secret', async () => {
    const { apiSecret } = world.acme
    const reply = await replyOf(await post(world, call(apiSecret, {}), joined(world.acme)))
    expect([reply.text.includes('pas_'), reply.text.includes(apiSecret)]).toEqual([true, false])
  })

  test('tells of the company that was opened, in one JSON answer', async () => {
    const reply = await replyOf(await post(world, call('get_bid', { id: world.acme.bid }), joined(world.acme)))
    expect(reply.headers.get('Project-Api-Scope')).toBe('company')
    expect(reply.headers.get('Content-Type')).toContain('application/json')
    expect(JSON.parse(reply.json.result.content[0].text)).toMatchObject({ id: world.acme.bid })
  })

  test('leaves /rest/v1 as it is: without apikey, 401', async () => {
    const reply = await fetch(`${world.base}/rest/v1/project`, { headers: joined(world.acme) })
    expect(reply.status).toBe(401)
  })

  test('counts a message as one request of its credential', async () => {
    const limited = await world.acme.withCredential('read', null, '3/m')
    const ask = async () => (await post(world, call('get_bid', { id: world.acme.bid }), joined(limited))).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  })

  describe('refuses', () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      test(`${method}, since there are no sessions and streams`, async () => {
        const reply = await fetch(`${world.base}/mcp`, { method, headers: joined(world.acme) })
        expect([reply.status, reply.headers.get('Allow')]).toEqual([405, 'POST'])
      })
    }

    const bad: readonly [string, unknown, Fields, number][] = [
      ['several messages at once', [list, list], {}, 400],
      ['what is no JSON', '{', {}, 400],
      ['what is no message', { hello: 'world' }, {}, 400],
      ['a message that is too long', call('create_bid', { bid_name: 'x'.repeat(300_000) }), {}, 413],
      ['another media type', list, { 'Content-Type': 'text/plain' }, 415],
      ['a client that takes no JSON', list, { Accept: 'text/html' }, 406],
      ['a version of the protocol that is unknown', list, { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ]
    for (const [what, message, headers, status] of bad) {
      test(what, async () => {
        expect((await post(world, message, { ...joined(world.acme), ...headers })).status).toBe(status)
      })
    }
  })
})
