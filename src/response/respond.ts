import type { Coding } from '../coding/choose-coding.ts'
import { failure } from '../errors/index.ts'
import { scrub } from '../log/scrub.ts'
import { isRead } from '../methods.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import { isOtherZone, wantsRows } from '../request/preferences.ts'
import type { Resource } from '../resources/define.ts'
import type { Answer } from './answer.ts'
import { contentLocation, contentRange, nextPage } from './content-range.ts'
import type { Outcome } from './outcome.ts'
import { preferencesApplied } from './preferences-applied.ts'
import { represent } from './represent.ts'
import { codedFrom } from './with-coding.ts'

export function respond(outcome: Outcome): Answer {
  const { method } = outcome.request
  const answer = isRead(method) ? respondToRead(outcome) : respondToWrite(outcome)
  const { schemaNamed } = outcome.request
  if (!schemaNamed || !answer.headers['Content-Type']) return answer
  return { ...answer, headers: { ...answer.headers, 'Content-Profile': 'public' } }
}

function respondToRead(outcome: Outcome): Answer {
  const { request, resource, result } = outcome
  const { offset } = request.range
  const counted = request.preferences.count !== undefined
  const total = counted ? result.total : null
  if (total !== null && offset > total) throw failure.offsetPastEnd(offset, total)
  const coding = result.parts || result.text.length > codedFrom ? outcome.coding() : null
  const tag = result.parts ? null : tagOf(outcome, coding)
  if (tag !== null && request.ifNoneMatch && isKnown(request.ifNoneMatch, tag)) {
    return { status: 304, headers: { ETag: `"${tag}"`, ...varied(outcome) }, body: null }
  }
  const shown = result.parts && total !== null ? Math.min(result.count, total - offset) : result.count
  const headers = varied(outcome)
  headers['Content-Type'] = contentType(request)
  const location = contentLocation(resource.name, request)
  // An address that a token was put into is not told again.
  const isTold = scrub(location) === location
  if (isTold && location.length <= addressMax) headers['Content-Location'] = location
  if (tag !== null) headers.ETag = `"${tag}"`
  if (Number.isFinite(shown)) headers['Content-Range'] = contentRange(offset, shown, total)
  const next =
    isTold && Number.isFinite(shown) && result.more && shown > 0 ? nextPage(resource.name, request, shown) : ''
  if (next !== '' && next.length <= addressMax) headers.Link = next
  const status = total !== null && shown < total ? 206 : 200
  const body = represent(outcome, request.representation)
  const answer = coding === null ? { status, headers, body } : { status, headers, body, coding }
  return result.partBytes === undefined ? answer : { ...answer, partBytes: result.partBytes }
}

/** A header that is longer is left out: Node refuses an answer whose headers have more than 16 KiB together. */
const addressMax = 4096

/** The version of the rows, and how they are shown and sent: `If-Match` asks for the version alone. */
function tagOf({ request: { representation, preferences }, result }: Outcome, coding: Coding | null): string {
  const stripped = representation.nullsStripped ? '-stripped' : ''
  const zone = isOtherZone(preferences.timezone) ? `.${preferences.timezone}` : ''
  const tag = `${result.version}.${representation.shape}${stripped}${zone}`
  return coding === null ? tag : `${tag}.${coding}`
}

const isKnown = (tags: readonly string[], tag: string): boolean => tags.includes(tag) || tags.includes('*')

function respondToWrite(outcome: Outcome): Answer {
  const { request, resource, result, payload } = outcome
  const { method, preferences, representation } = request
  const total = preferences.count === 'exact' || preferences.count === 'estimated' ? result.count : null
  // Without a preference, what comes back mirrors what was sent.
  const mirrored =
    payload.single && !preferences.return && representation.shape === 'array'
      ? ({ ...representation, shape: 'object' } as const)
      : representation
  const isShown = wantsRows(request) && !(mirrored !== representation && result.count === 0)
  const headers = varied(outcome)
  if (isShown) headers['Content-Type'] = contentType(request)
  if (method !== 'PUT') headers['Content-Range'] = contentRange(0, method === 'PATCH' ? result.count : 0, total)
  if (method === 'POST' && result.key !== null) headers.Location = location(resource, result.key)
  return {
    status: writeStatus(outcome),
    headers,
    body: isShown ? represent(outcome, mirrored) : null,
  }
}

function writeStatus({ request, result, plan }: Outcome): number {
  const { method, preferences } = request
  if (method === 'POST') {
    const merged = preferences.resolution === 'merge-duplicates' && (plan.kind === 'nothing' || result.created === 0)
    return merged ? 200 : 201
  }
  // RFC 9110 wants 201 for every PUT that creates, whether or not there is a body.
  if (method === 'PUT' && result.created > 0) return 201
  return wantsRows(request) ? 200 : 204
}

const location = ({ name, primaryKey }: Resource, key: string): string =>
  `/rest/v1/${name}?${primaryKey.name}=eq.${key}`

const contentType = ({ representation }: ApiRequest): string => `${representation.contentType}; charset=utf-8`

function varied({ request }: Outcome): Record<string, string> {
  const applied = preferencesApplied(request)
  return applied === ''
    ? { Vary: 'Accept, Accept-Encoding, Prefer, Range' }
    : { 'Preference-Applied': applied, Vary: 'Accept, Accept-Encoding, Prefer, Range' }
}
