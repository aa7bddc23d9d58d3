import { all, writes } from '../methods.ts'
import { define, type Failures } from './define.ts'

const challenge = { 'WWW-Authenticate': 'Bearer realm="project-api"' }

/** Who is asking with an API key. */
export const authentication = {
  keyMissing: define(401, 'invalid_api_key', () => ({
    message: 'No API key found in the request',
    hint: 'Send the API key in the header "apikey", and again as "Authorization: Bearer <API key>".',
    headers: challenge,
  })).on(all),
  keyInvalid: define(401, 'invalid_api_key', () => ({
    message: 'The API key is not valid',
    hint: 'Check the header "apikey": the key may be mistyped, expired, revoked, or sent twice.',
    headers: challenge,
  })).on(all),
  keyIsSecret: define(401, 'invalid_api_key', () => ({
    message: 'An API secret was sent where the API key belongs',
    hint: 'Send the value that begins with "pak_" as "apikey" and the one that begins with "pas_" as "X-API-Secret".',
    headers: challenge,
  })).on(all),
  bearerDiffers: define(401, 'invalid_api_key', () => ({
    message: 'The Authorization header does not carry the API key',
    hint: 'Send "Authorization: Bearer <API key>" with the same key as in "apikey", or leave Authorization out.',
    headers: challenge,
  })).on(all),
  rateLimited: define(429, 'rate_limited', (seconds: number) => ({
    message: 'Too many requests',
    hint: `Send fewer, or wait ${seconds} s. RateLimit tells how many are left.`,
    headers: { 'Retry-After': String(seconds) },
  })).on(all, 1),
  tooManyKeys: define(429, 'rate_limited', (seconds: number) => ({
    message: 'Too many requests without a valid API key came from this address',
    hint: `Check the header "apikey", and wait ${seconds} s. Valid keys go on working.`,
    headers: { 'Retry-After': String(seconds) },
  })).on(all, 1),
  companyDeleted: define(403, 'company_deleted', () => ({
    message: 'The company of this API key is about to be deleted',
    hint: 'An owner can undo the deletion within seven days, on the page "Company" of the settings.',
  })).on(all),
  notScoped: define(403, '42501', () => ({
    message: 'The request is not scoped to a company',
    hint: 'Send the API secret that belongs to this API key in the header "X-API-Secret".',
  })).on(all),
  insufficientScope: define(403, 'insufficient_scope', () => ({
    message: 'This credential may only read',
    hint: 'Use a credential with read-write access.',
    headers: { 'WWW-Authenticate': `${challenge['WWW-Authenticate']}, error="insufficient_scope"` },
  })).on(writes),
  resourceNotAllowed: define(403, 'insufficient_scope', (name: string, allowed: string) => ({
    message: `This credential has no access to "${name}"`,
    hint: `It has access to: ${allowed || 'nothing'}. An owner or a developer of its company can change that on the settings page.`,
    headers: { 'WWW-Authenticate': `${challenge['WWW-Authenticate']}, error="insufficient_scope"` },
  })).on(all, 'bid', 'project'),
  operationNotAllowed: define(403, 'insufficient_scope', (operation: string, allowed: string) => ({
    message: `This credential may not ${operation} rows`,
    hint: `It may: ${allowed || 'nothing'}. An owner or a developer of its company can change that on the settings page.`,
    headers: { 'WWW-Authenticate': `${challenge['WWW-Authenticate']}, error="insufficient_scope"` },
  })).on(all, 'delete', 'read, create'),
  addressNotAllowed: define(403, 'address_not_allowed', (address: string) => ({
    message: 'This credential may not be used from this address',
    details: address === '' ? 'The address of the request is not known.' : `The request came from ${address}.`,
    hint: 'Call from one of its networks. An owner or a developer of its company can change them on the settings page.',
  })).on(all, '203.0.113.7'),
  secretInBrowser: define(403, 'secret_in_browser', () => ({
    message: 'The API secret was sent from a browser',
    hint: 'Whoever opens the page can read the secret. Call this API from your server, and replace this credential.',
  })).on(all),
} satisfies Failures
