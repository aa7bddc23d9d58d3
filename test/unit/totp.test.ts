import { expect, test } from 'bun:test'
import { base32, codeOf, makeTotpSecret, stepOf, totpUri } from '../../src/people/totp.ts'

// The examples of RFC 6238, appendix B, cut to six digits.
const secret = '12345678901234567890'
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const)('the code at %d s is %s', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  expect(codeOf(secret, step)).toBe(code)
  expect(stepOf(secret, code, seconds * 1000)).toBe(step)
})

test('a code counts in its own period and in the two beside it', () => {
  const at = (step: number) => stepOf(secret, codeOf(secret, 1000), step * 30_000)
  expect([at(998), at(999), at(1000), at(1001), at(1002)]).toEqual([null, 1000, 1000, 1000, null])
})

test.each(['', '28708', '2870822', '28708x', '２８７０８２'])('%p is the code of no period', (code) => {
  expect(stepOf(secret, code, 59_000)).toBeNull()
})

test('a key is 32 characters to type, and differs each time', () => {
  const [one, other] = [makeTotpSecret(), makeTotpSecret()]
  expect(base32(one)).toMatch(/^[A-Z2-7]{32}$/)
  expect(one).not.toBe(other)
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test('the QR code names the service and the person', () => {
  const uri = new URL(totpUri(secret, 'ada+work@example.com'))
  expect(uri.href).toStartWith('otpauth://totp/Project%20API:ada%2Bwork%40example.com?')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: base32(secret),
    issuer: 'Project API',
    digits: '6',
    period: '30',
  })
})
