import { createHmac, randomBytes } from 'node:crypto'

/** Standard Webhooks 1.0: 24 to 64 random bytes in base64. */
const secretBytes = 32
const secretPrefix = 'whsec_'

export const makeSecret = (): string => `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`

/** What is signed. A repeated attempt has the same id and body, and its own time. */
export interface Message {
  readonly id: string
  readonly body: string
  readonly at: Date
}

/** The headers of Standard Webhooks 1.0, with one signature for each secret: two during a rotation. */
export function signedHeaders({ id, body, at }: Message, secrets: readonly string[]): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${signatureOf(`${id}.${timestamp}.${body}`, secret)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const signatureOf = (content: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(content)
    .digest('base64')
