import { describe, expect, test } from 'bun:test'
import { banner } from '../../src/cli/banner.ts'
import { exposureOf } from '../../src/cli/exposure.ts'
import { readConfig } from '../../src/config/config.ts'

const tls = { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' }

describe('an address that is open to the network without encryption', () => {
  test.each([
    [{}, false],
    [{ HOST: 'localhost' }, false],
    [{ HOST: '127.0.0.2' }, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '::' }, true],
    [{ HOST: '192.0.2.7' }, true],
    [{ HOST: '0.0.0.0', BASE_URL: 'http://api.example.com' }, true],
    [{ HOST: '0.0.0.0', BASE_URL: 'https://api.example.com' }, false],
    [{ HOST: '0.0.0.0', TRUST_PROXY: 'on' }, false],
    [{ HOST: '0.0.0.0', ...tls }, false],
  ])('%j is one: %p', (env, isExposed) => {
    const warning = exposureOf(readConfig(env, false))
    expect(warning !== null).toBe(isExposed)
    if (warning !== null) expect(warning).toMatch(/^HOST=\S+ is open to the network.* TLS_CERT .* BASE_URL /)
  })

  test('is told by the banner', () => {
    const start = {
      version: '1',
      startedInMs: 1,
      base: 'http://a',
      page: 'http://a',
      database: 'b',
      demo: null,
      workers: 1,
      admin: null,
    }
    expect(banner({ ...start, warning: 'Mind this.' })).toContain('\nWarning: Mind this.\n')
    expect(banner({ ...start, warning: null })).not.toContain('Warning')
  })
})
