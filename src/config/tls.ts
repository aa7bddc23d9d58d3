import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import { ConfigError } from './parse-settings.ts'

export interface Tls {
  readonly cert: string
  readonly key: string
  readonly endsAt: Date
}

/** Reads and checks the files of TLS_CERT and TLS_KEY, because the runtime's own errors do not name the file. */
export function readTls({ tls }: Pick<Config, 'tls'>): Tls | null {
  if (!tls) return null
  const cert = readPem('TLS_CERT', tls.certPath)
  const key = readPem('TLS_KEY', tls.keyPath)
  const certificate = parse('TLS_CERT', 'certificate', () => new X509Certificate(cert))
  const privateKey = parse('TLS_KEY', 'private key without a passphrase', (): KeyObject => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError('TLS_KEY is not the private key of TLS_CERT. Check that both files belong together.')
  return { cert, key, endsAt: new Date(certificate.validTo) }
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(`${name} names ${path}, which cannot be read (${code}).`)
  }
}

function parse<Result>(name: string, what: string, make: () => Result): Result {
  try {
    return make()
  } catch {
    throw new ConfigError(`${name} must name a PEM file with a ${what}.`)
  }
}
