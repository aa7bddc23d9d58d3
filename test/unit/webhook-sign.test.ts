import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createSeal } from '../../src/webhooks/seal.ts'
import { makeSecret, signedHeaders } from '../../src/webhooks/sign.ts'
import { mistyped } from '../support/mistyped.ts'

const body = JSON.stringify({ type: 'project.created', data: { project_name: 'Brücke' } })
const message = (at = new Date()) => ({ id: Bun.randomUUIDv7(), body, at })

describe('a signature', () => {
  const secret = makeSecret()

  test('is verified by the official library', () => {
    expect(new Webhook(secret).verify(body, signedHeaders(message(), [secret]))).toEqual(JSON.parse(body))
  })

  test('is verified with either secret during a rotation', () => {
    const next = makeSecret()
    const headers = signedHeaders(message(), [next, secret])
    for (const one of [secret, next]) expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body))
  })

  test.each([
    ['a changed body', () => [body.replace('created', 'deleted'), signedHeaders(message(), [secret])] as const],
    ['another secret', () => [body, signedHeaders(message(), [makeSecret()])] as const],
    ['an old time', () => [body, signedHeaders(message(new Date(Date.now() - 3_600_000)), [secret])] as const],
    ['another id', () => [body, { ...signedHeaders(message(), [secret]), 'webhook-id': 'other' }] as const],
  ])('is refused with %s', (_, make) => {
    const [sent, headers] = make()
    expect(() => new Webhook(secret).verify(sent, headers)).toThrow()
  })
})

describe('a sealed secret', () => {
  const seal = createSeal(['a key that is not in the database'])

  test('is opened with the same key for the same endpoint only', () => {
    const sealed = seal.close('whsec_abc', 'endpoint 1')
    expect(sealed).not.toContain('whsec_abc')
    expect(seal.open(sealed, 'endpoint 1')).toBe('whsec_abc')
    expect(seal.open(sealed, 'endpoint 2')).toBeNull()
    expect(createSeal(['another key']).open(sealed, 'endpoint 1')).toBeNull()
  })

  test('is opened with an old key, too', () => {
    const both = createSeal(['a new key', 'a key that is not in the database'])
    expect(both.open(seal.close('whsec_abc', 'one'), 'one')).toBe('whsec_abc')
    expect(seal.open(both.close('whsec_abc', 'one'), 'one')).toBeNull()
  })

  test('is refused when it was changed', () => {
    const sealed = seal.close('whsec_abc', 'one')
    for (const changed of ['', 'x', '1.2.3', mistyped(sealed.slice(0, -1)) + sealed.slice(-1), sealed.slice(0, 20)])
      expect(seal.open(changed, 'one')).toBeNull()
  })
})
