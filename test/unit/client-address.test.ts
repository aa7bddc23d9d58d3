import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/parse-settings.ts'
import { clientAddress } from '../../src/traffic/client-address.ts'

const peer = '10.0.0.1'

describe('the address of a client', () => {
  test.each([
    ['off', '203.0.113.9', peer],
    ['on', null, peer],
    ['on', '203.0.113.9', '203.0.113.9'],
    // What a client writes itself comes first, whatever the proxy then adds.
    ['on', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['on', '203.0.113.9, nonsense', peer],
    ['on', '2001:db8::7', '2001:db8::7'],
    ['2', '6.6.6.6, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    // It did not come through both.
    ['2', '6.6.6.6', peer],
  ])('with TRUST_PROXY=%s and X-Forwarded-For %p is %s', (setting, forwarded, address) => {
    const headers = new Headers(forwarded === null ? {} : { 'X-Forwarded-For': forwarded })
    const { trustedProxies } = readConfig({ TRUST_PROXY: setting }, false)
    expect(clientAddress(headers, peer, trustedProxies)).toBe(address)
  })

  test('is the last of a header that was sent twice', () => {
    const headers = new Headers()
    for (const address of ['6.6.6.6', '203.0.113.9']) headers.append('X-Forwarded-For', address)
    expect(clientAddress(headers, peer, 1)).toBe('203.0.113.9')
  })

  test.each(['yes', '0', '10', '-1', '1.5'])('TRUST_PROXY=%s stops the start', (setting) => {
    expect(() => readConfig({ TRUST_PROXY: setting }, false)).toThrow(ConfigError)
  })
})
