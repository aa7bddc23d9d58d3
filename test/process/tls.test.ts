import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type SecureVersion } from 'node:tls'
import { endAll, runCli, type Service, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const folder = mkdtempSync(join(tmpdir(), 'project-api-tls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pem = (name: string): string => join(import.meta.dir, '../support/tls', name)
const files = { TLS_CERT: pem('cert.pem'), TLS_KEY: pem('key.pem') }
const ca = await Bun.file(files.TLS_CERT).text()

describe('with a certificate', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ ...files, DATABASE_URL: join(folder, 'tls.db') })
  })
  afterAll(() => service.stop())

  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.base}${path}`, { ...init, tls: { ca } })

  test('the service is reached by https, and says so', async () => {
    expect(service.base).toStartWith('https://127.0.0.1:')
    expect(service.banner).toContain(`Settings  ${service.base}/\n`)
    expect(service.banner).not.toContain('Warning')
    expect((await ask('/health/ready')).status).toBe(200)
  })

  test('the commands that look at it know of the certificate', async () => {
    const env = { ...files, PORT: new URL(service.base).port, DATABASE_URL: join(folder, 'tls.db') }
    // A busy machine may keep it waiting for longer than it waits.
    await until(async () => (await runCli(['health'], env)).stdout === 'ready\n')
    expect((await runCli(['doctor'], env)).stdout).toMatch(/^ok +TLS to clients +by TLS_CERT, which expires on \d{4}-/m)
    const broken = await runCli(['doctor'], { ...env, TLS_CERT: '/nowhere.pem' })
    expect(broken.stdout).toMatch(/^problem +TLS to clients +TLS_CERT names \/nowhere\.pem/m)
    const reset = await runCli(['user', 'reset-password', 'demo@example.com'], env)
    expect(reset.stdout).toContain(`${service.base}/reset-password?token=`)
  })

  test('nobody is answered without', async () => {
    const plain = await fetch(service.base.replace('https', 'http')).catch(() => null)
    expect(plain).toBeNull()
  })

  test('browsers are told to come back by https alone, and keep their cookie to it', async () => {
    expect((await ask('/')).headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    const [, email] = /E-mail +(\S+)\n/.exec(service.banner) ?? []
    const [, password] = /Password +(\S+)\n/.exec(service.banner) ?? []
    const answer = await ask('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { Origin: service.base, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(answer.status).toBe(200)
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toStartWith('__Secure-')
    for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax']) expect(cookie).toContain(`; ${part}`)
  })

  test.each([
    ['TLSv1', false],
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ] as const)('%s is spoken: %p', async (version, isSpoken) => {
    expect(await speaks(service.base, version)).toBe(isSpoken)
  })
})

describe('a certificate that cannot be used stops the start, and names the variable', () => {
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  })
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['TLS_CERT alone', { TLS_CERT: files.TLS_CERT }, /^TLS_CERT needs TLS_KEY/],
    ['TLS_KEY alone', { TLS_KEY: files.TLS_KEY }, /^TLS_KEY needs TLS_CERT/],
    ['no such file', { ...files, TLS_CERT: '/nowhere.pem' }, /^TLS_CERT names \/nowhere\.pem.*\(ENOENT\)/],
    ['a directory', { ...files, TLS_KEY: folder }, /^TLS_KEY names .*\(EISDIR\)/],
    ['no certificate', { ...files, TLS_CERT: written('text.pem', 'hello') }, /^TLS_CERT must name a PEM file/],
    ['a certificate for a key', { ...files, TLS_KEY: files.TLS_CERT }, /^TLS_KEY must name a PEM file/],
    ['another key', { ...files, TLS_KEY: written('key.pem', String(foreignKey)) }, /^TLS_KEY is not the private key/],
  ]
  test.each(cases)('%s', async (_, env, sentence) => {
    const ended = await runCli(['serve'], { ...env, PORT: '0', DATABASE_URL: join(folder, 'never.db') })
    expect([ended.exitCode, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(sentence)
    expect(ended.stderr).not.toContain('OPENSSL')
  })
})

function speaks(base: string, version: SecureVersion): Promise<boolean> {
  return new Promise((resolve) => {
    const { port } = new URL(base)
    const range = { minVersion: version, maxVersion: version }
    const socket = connect({ host: '127.0.0.1', port: Number(port), ca, ...range }, () => {
      resolve(socket.getProtocol() === version)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
}
