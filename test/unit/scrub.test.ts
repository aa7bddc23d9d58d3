import { describe, expect, test } from 'bun:test'
import { makeToken } from '../../src/keys/token.ts'
import { createLog } from '../../src/log/log.ts'
import { scrub } from '../../src/log/scrub.ts'
import { collect } from '../support/collect.ts'
import { growthOf } from '../support/growth.ts'

const key = makeToken('key')
const secret = makeToken('secret')
const word = 'Zx9_kQ-74bTn2vLmR8sYwE3u'

/** A text, and what of it must never be seen. */
const texts: readonly (readonly [what: string, text: string, hidden: string])[] = [
  ['a key', key, key],
  ['a secret', secret, secret],
  ['behind its key and a dot', `${key}.${secret}`, secret],
  ['before its secret and a dot', `Bearer ${key}.${secret}`, key],
  ['behind its key and an encoded dot', `${key}%2E${secret}`, secret],
  ['behind a header', `X-API-Secret: ${secret}`, secret],
  ['behind an encoded "="', `%3D${secret}`, secret],
  ['behind an escaped line end', JSON.stringify(`a\n${secret}`), secret],
  ['between letters', `x${secret}`, secret],
  ['with an encoded underscore', secret.replace('_', '%5F'), secret.slice(4)],
  ['with an underscore encoded twice', secret.replace('_', '%255f'), secret.slice(4)],
  ['in capitals', `PAS_${secret.slice(4)}`, secret.slice(4)],
  ['cut short', secret.slice(0, 20), secret.slice(4, 20)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ secret })), secret],
  ['the password of a database', `postgres://user:${word}@host:5432/name`, word],
  ['the password of a database with an @ in it', `postgres://user:p@${word}@host/name`, word],
  ['the password of a database, encoded', `postgres://user:${word}%40%2F@host/name`, word],
  ['the password of a mail server', `connect smtps://me%40example.com:${word}@mail.example.com failed`, word],
  ['a password without a user', `redis://:${word}@host`, word],
  ['a session', `Cookie: a=b; project-api.session_token=${word}.c2ln%3D; c=d`, word],
  ['a secure session', `__Secure-project-api.session_token=${word}`, word],
  ['an invitation', `GET /invitation/${word} and more`, word],
  ['an invitation of the API', `/api/invitation/${word}/accept`, word],
  ['a link to reset a password', `https://a.example/reset-password?token=${word}`, word],
  ['what is kept of a reset', `reset-password:${word}`, word],
]

describe('what is scrubbed', () => {
  test.each(texts)('%s', (_, text, hidden) => {
    const seen = scrub(text)
    expect(seen).not.toContain(hidden)
    expect(seen).toContain('…')
    // A part of it would be a start for guessing the rest.
    for (let at = 0; at + 8 <= hidden.length; at += 1) expect(seen).not.toContain(hidden.slice(at, at + 8))
  })

  test('nothing else', () => {
    const plain = [
      'http://127.0.0.1:8080/rest/v1/project?select=id',
      'user@example.com wrote: see http://example.com:80/a, mail me@example.com',
      'PAST_PARTICIPLE pak_ pas_ok /invitation/ token=',
      '{"time":"2026-11-15T06:31:03.000Z","request_id":"01a1dd6a-0401-727b-abb4-d8ad07eeb49c"}',
    ]
    for (const text of plain) expect(scrub(text)).toBe(text)
  })

  test('the rest of the text stays', () => {
    expect(scrub(`a postgres://user:${word}@host:5432/name b ${key} c`)).toBe(
      'a postgres://user:…@host:5432/name b pak_… c',
    )
  })

  test('a long text takes no longer for being made to', async () => {
    for (const drop of ['://a:', '://', 'pak_', 'token=', 'pa%25', '/invitation/'])
      expect(await growthOf(32_768 / drop.length, (times) => scrub(drop.repeat(times)))).toBeLessThan(8)
  })
})

describe.each(['json', 'text'] as const)('a log in %s', (format) => {
  test('has none of it, in whatever field it is', () => {
    const lines: string[] = []
    const log = createLog(format, 'info', collect(lines))
    for (const [, text] of texts) {
      log.info(text, { route: text })
      log.error('request', { [text]: 1, cause: `Error: ${text}\n    at ${text}` })
    }
    expect(lines.join('')).not.toBe('')
    for (const [, , hidden] of texts) expect(lines.join('')).not.toContain(hidden)
  })
})
