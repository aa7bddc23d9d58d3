import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { version } from '../../package.json'
import { keyword } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Reply, replyOf } from '../support/world.ts'

/** What an answer would hold if something of how it was made got into it. */
const insides = [
  /sqlite|bun:|\bbun\b|better-auth|nodemailer|openssl|node_modules/i,
  /\.tsx?\b|\bat \S+ \(|stack|\/src\/|undefined|\[object|TypeError|SyntaxError/,
  /\bselect \w+ from\b|\binsert into\b|no such table|relation "\w+" does not exist|pg_|SQLSTATE|ECONN/i,
  /too long in ts|tsquery to|invalid regular expression: \w+ \(|LINE \d|Failing row/,
]

const bare = (reply: Reply): string => [reply.text, ...[...reply.headers].map((pair) => pair.join(': '))].join('\n')

function expectNothingInside(what: string, reply: Reply): void {
  const found = insides.flatMap((pattern) => pattern.exec(bare(reply))?.[0] ?? [])
  expect([what, found]).toEqual([what, []])
  if (!what.includes('/api/setup')) expect(bare(reply)).not.toContain(version)
}

const json = { 'Content-Type': 'application/json' }
const long = 'x'.repeat(3000)

/** Requests that come as far as they can before something goes wrong. */
const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/rest/v1/project?project_name=fts.a%20b'],
  ['GET', `/rest/v1/project?project_name=fts.${long}`],
  ['GET', `/rest/v1/project?project_name=wfts.${long}`],
  ['GET', `/rest/v1/project?project_name=plfts.${long}`],
  ['GET', '/rest/v1/project?project_name=match.(%3F%3C%3Da)b'],
  ['GET', '/rest/v1/project?project_name=match.%5B'],
  ['GET', '/rest/v1/project?project_name=like.a%5C'],
  ['GET', '/rest/v1/project?created_at=gt.infinity'],
  ['GET', '/rest/v1/project?created_at=gt.99999999-01-01'],
  ['GET', '/rest/v1/project?id=eq.x'],
  ['GET', '/rest/v1/project?select=id::date'],
  ['GET', '/rest/v1/project?select=created_at.sum()'],
  ['GET', '/rest/v1/project?limit=99999999999999999999'],
  ['GET', '/rest/v1/project?offset=9223372036854775807'],
  ['GET', `/rest/v1/project?or=${'(or('.repeat(200)}`],
  ['POST', '/rest/v1/project', '{'],
  ['POST', '/rest/v1/project', '{"bid_id":{},"project_name":[]}'],
  ['POST', '/rest/v1/project', `{"bid_id":1${'0'.repeat(400)},"project_name":1e999}`],
  ['POST', '/rest/v1/project', '{"__proto__":{"a":1}}'],
  ['PUT', '/rest/v1/project?id=eq.x', '{}'],
  ['PATCH', '/rest/v1/project?id=eq.x', '{}'],
  ['TRACE', '/rest/v1/project'],
  ['POST', '/api/auth/sign-in/email', '{"email":[],"password":{}}'],
  ['POST', '/api/auth/sign-in/email', '{"email":"a","password":"b","callbackURL":"javascript:1"}'],
  ['POST', '/api/auth/sign-in/email', '[]'],
  ['POST', '/api/auth/sign-up/email', '{"name":"\\u0000","email":"a@b.co","password":"long enough"}'],
  ['POST', '/api/auth/reset-password', '{"newPassword":"long enough","token":"\\u0000"}'],
  ['POST', '/api/auth/request-password-reset', '{"email":7}'],
  ['POST', '/api/auth/change-password', '{"currentPassword":"a","newPassword":"b"}'],
  ['GET', '/api/auth/get-session'],
  ['GET', '/api/invitation/%00'],
  ['GET', '/api/session'],
  ['GET', '/api/setup'],
  ['GET', '/assets/..%2f..%2fpackage.json'],
  ['GET', '/docs/../package.json'],
  ['GET', '/%'],
]

onEachEngine('an answer', (world, engine) => {
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { ...world.acme.headers, ...json, Origin: world.base }
    return replyOf(await fetch(`${world.base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }))
  }

  test('tells nothing of what is inside, whatever goes wrong with a request', async () => {
    for (const [method, path, body] of requests) {
      const what = `${method} ${path.slice(0, 80)}`
      const reply = await ask(method, path, body)
      expect([what, reply.status < 500]).toEqual([what, true])
      expectNothingInside(what, reply)
    }
  })

  test('to what is no HTTP is short and says no more', async () => {
    const port = Number(new URL(world.base).port)
    for (const bytes of [
      'nonsense',
      'GET / HTTP/1.1',
      'GET / HTTP/9.9\r\nHost: a',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}`,
    ]) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(`${bytes}\r\n\r\n`))
        let text = ''
        socket.on('data', (part) => {
          text += part
        })
        socket.on('error', () => {})
        socket.once('close', () => resolve(text))
      })
      expect(answer).toMatch(/^HTTP\/1\.1 (?:400|431|505) [A-Za-z ]+\r\nConnection: close\r\n\r\n$/)
    }
  })

  // Last, since nothing works afterwards.
  test('tells nothing of a bug of ours, and the log tells no row', async () => {
    const broken =
      engine.name === 'postgres'
        ? keyword("alter table project add constraint surprise check (project_name <> 'Secret plan')")
        : keyword("create trigger surprise before insert on project begin select raise(abort, 'surprise'); end")
    await world.db.transact([broken])
    const row = JSON.stringify({ bid_id: world.acme.bid, project_name: 'Secret plan' })
    const replies = [await ask('POST', '/rest/v1/project', row)]
    await world.db.transact([keyword('drop table project')])
    for (const [method, body] of [['GET'], ['POST', row], ['DELETE']] as const)
      replies.push(await ask(method, '/rest/v1/project?id=not.is.null', body))
    const bug = [500, 'XX000', null]
    // A server without our tables may be another one than before, in the middle of a failover.
    const without = engine.name === 'postgres' ? [503, 'PGRST001', null] : bug
    for (const [at, reply] of replies.entries()) {
      expect([reply.status, reply.json.code, reply.json.details]).toEqual(at === 0 ? bug : without)
      expectNothingInside('a bug', reply)
    }
    const log = world.logged.join('')
    expect(log).toContain('surprise')
    expect(log).not.toContain('Secret plan')
  })
})
