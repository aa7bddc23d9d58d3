import { expect, test } from 'bun:test'
import { passkeyHost } from '../../src/people/passkey-host.ts'

test.each([
  ['https://api.example.com', 'api.example.com'],
  ['https://api.example.com:8443', 'api.example.com'],
  ['http://localhost:8080', 'localhost'],
  ['http://app.localhost', 'app.localhost'],
  ['http://api.example.com', null],
  ['http://notlocalhost', null],
  ['http://127.0.0.1:8080', null],
  ['https://127.0.0.1', null],
  ['https://[::1]:8443', null],
])('passkeys at %s are bound to %p', (baseUrl, host) => {
  expect(passkeyHost(baseUrl)).toBe(host)
})
