import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { version } from '../../../package.json'
import type { Right } from '../../store/database.ts'
import { createLookUp } from './look-up.ts'
import { readAnswer } from './read-answer.ts'
import { findAddresses, hostOf, parseTarget, type Resolve, type TargetRules } from './target.ts'

/** One POST to an endpoint. */
interface Post {
  /** Whose endpoint it is. */
  readonly companyId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Asked once the name is resolved, which may take long. Nothing is sent where it has ended. */
  readonly right?: Right | undefined
}

/** What came of it. */
interface Sent {
  /** null if there was no answer. */
  readonly status: number | null
  /** The beginning of the answer's body. */
  readonly answer: string
  /** Why there was no answer; null if there was one. */
  readonly error: string | null
  /** The header `Retry-After`. */
  readonly retryAfter: string | null
  readonly durationMs: number
}

/** Sends. Throws what `right` throws, and nothing else. */
export type Send = (post: Post) => Promise<Sent>

export interface SendParts extends TargetRules {
  readonly resolve?: Resolve
  readonly timeoutMs?: number
  /** More options for TLS: a certificate authority. */
  readonly ca?: string
}

const timeoutMsDefault = 15_000

/**
 * Each attempt resolves the name anew, checks every address, and connects to one of those: a name that changes in between
 * leads nowhere else. node:http follows no redirect, uses no proxy variable, and each attempt has its own connection.
 */
export function createSend({ resolve = createLookUp(), timeoutMs = timeoutMsDefault, ca, ...rules }: SendParts): Send {
  return async ({ companyId, url: text, headers, body, right }) => {
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(timeoutMs)
    const late = Promise.withResolvers<never>()
    timeout.addEventListener('abort', () => late.reject(new Error(`No answer within ${timeoutMs / 1000} s.`)))
    // Nobody else waits for it where the attempt ends in time.
    late.promise.catch(() => {})
    const lookUp = async (): Promise<Found> => {
      const url = parseTarget(text, rules)
      const found = findAddresses(url, rules, (host) => resolve(host, companyId))
      return { url, addresses: await Promise.race([found, late.promise]) }
    }
    const post = async ({ url, addresses }: Found): Promise<Outcome> => {
      const request = open(url, { addresses, headers, body, ca, timeout })
      const response = await Promise.race([responseOf(request, body), late.promise])
      const { statusCode = 0, headers: received } = response
      const answer = await readAnswer(response, timeout)
      request.destroy()
      return { status: statusCode, answer, error: null, retryAfter: received['retry-after'] ?? null }
    }
    const attempt = async (): Promise<Outcome> => {
      const found = await lookUp().catch(failed)
      if ('error' in found) return found
      await right?.()
      return post(found).catch(failed)
    }
    const sent = await attempt()
    return { ...sent, durationMs: Math.round(performance.now() - startedAt) }
  }
}

type Outcome = Omit<Sent, 'durationMs'>

interface Found {
  readonly url: URL
  readonly addresses: readonly string[]
}

const failed = (error: unknown): Outcome => ({ status: null, answer: '', error: messageOf(error), retryAfter: null })

interface Connection extends Pick<Post, 'headers' | 'body'> {
  readonly addresses: readonly string[]
  readonly ca: string | undefined
  readonly timeout: AbortSignal
}

function open(url: URL, { addresses, headers, body, ca, timeout }: Connection): ClientRequest {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const checked: LookupFunction = (_, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
  return (url.protocol === 'https:' ? https : http).request({
    ...{ protocol: url.protocol, hostname: hostOf(url), port: url.port, path: `${url.pathname}${url.search}` },
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Project-API/${version} (webhooks)`,
      ...headers,
    },
    agent: false,
    lookup: checked,
    signal: timeout,
    ...(ca === undefined ? {} : { ca }),
  })
}

const responseOf = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('The answer is an upgrade to another protocol.'))
    })
    request.end(body)
  })

/** The codes of node:net and OpenSSL say more than their messages, some of which are empty. */
function messageOf(error: unknown): string {
  const { code = '', message = String(error) } = error as { readonly code?: string; readonly message?: string }
  return (code === '' || message.includes(code) ? message : `${message} (${code})`).slice(0, 256)
}
