import { settingsRoutes } from '../../src/settings/route.ts'
import { mutated, name } from '../fuzz/fuzz-text.ts'
import type { Random } from '../random.ts'
import { type AttackRequest, isStream, isWrite, manners, type Piece } from './attack-request.ts'
import { largeBodies, largePart, ownerRequest, pagePart, told } from './large-parts.ts'
import { bodies, headers, newPart } from './parts.ts'

type Change = (random: Random, request: AttackRequest) => AttackRequest

/** What can be made different about a request. Those that make it grow are there more than once. */
export const changes: readonly Change[] = [
  (random, request) => withQuery(request, (query) => [...query, { text: partFor(random, request) }]),
  (random, request) => withQuery(request, (query) => [...query, { text: partFor(random, request) }]),
  (random, request) => withQuery(request, (query) => query.filter(() => random.chance(0.8))),
  (random, request) => onePiece(random, request, (piece) => ({ ...piece, times: resized(random, piece.times ?? 1) })),
  (random, request) => onePiece(random, request, (piece) => ({ ...piece, times: resized(random, piece.times ?? 1) })),
  (random, request) => onePiece(random, request, ({ text, ...rest }) => ({ ...rest, text: stretched(random, text) })),
  (random, request) => onePiece(random, request, ({ text, ...rest }) => ({ ...rest, text: renumbered(random, text) })),
  (random, request) => onePiece(random, request, ({ text, ...rest }) => ({ ...rest, text: mutated(random, text) })),
  withHeader,
  withHeader,
  resizedHeader,
  resizedBody,
  resizedBody,
  (random, request) => ({ ...request, path: anotherPath(random, request) }),
  (random, { manner: _, ...request }) => (random.chance(0.2) ? { ...request, manner: random.pick(manners) } : request),
  (random, request) => (random.chance(0.2) ? { ...request, copies: resized(random, request.copies ?? 1) } : request),
  (_, { copies: __, ...request }) => request,
  withNext,
]

const isPage = ({ path }: AttackRequest): boolean => path.startsWith('/api/') && !path.startsWith('/api/rest/')

function partFor(random: Random, request: AttackRequest): string {
  if (isPage(request)) return pagePart(random)
  return request.company === 'large' && random.chance(0.6) ? largePart(random) : newPart(random)
}

/** Streams are told of a change, or of none. */
function withNext(random: Random, { next, ...request }: AttackRequest): AttackRequest {
  if (!isStream(request) || request.company !== 'large') return next ? { ...request, next } : request
  return random.chance(0.8) ? { ...request, next: told(random) } : request
}

function withQuery(request: AttackRequest, change: (query: readonly Piece[]) => readonly Piece[]): AttackRequest {
  return { ...request, query: change(request.query ?? []) }
}

function onePiece(random: Random, request: AttackRequest, change: (piece: Piece) => Piece): AttackRequest {
  const chosen = random.below(request.query?.length ?? 0)
  return withQuery(request, (query) => query.map((piece, at) => (at === chosen ? change(piece) : piece)))
}

const resized = (random: Random, times: number): number =>
  Math.max(1, random.pick([times * 2, times * 10, Math.ceil(times / 2), times + 1, times - 1]))

/** A piece from its middle, several times. */
function stretched(random: Random, text: string): string {
  const at = text.indexOf('=') + 1 + random.below(text.length)
  const end = at + 1 + random.below(20)
  return text.slice(0, end) + text.slice(at, end).repeat(random.pick([1, 1, 4, 30])) + text.slice(end)
}

const renumbered = (random: Random, text: string): string =>
  text.replace(/\d+/g, (digits) => (random.chance(0.5) ? digits : String(resized(random, Number(digits)))))

function withHeader(random: Random, request: AttackRequest): AttackRequest {
  const key = random.pick(Object.keys(headers))
  const text = random.pick(headers[key] ?? [''])
  const before = request.headers?.[key]?.text
  // Several preferences stand in one header.
  const joined = key === 'Prefer' && before !== undefined && random.chance(0.6) ? `${before}, ${text}` : text
  return { ...request, headers: { ...request.headers, [key]: { text: joined } } }
}

function resizedHeader(random: Random, request: AttackRequest): AttackRequest {
  const key = random.pick(Object.keys(request.headers ?? {}))
  const piece = key === undefined ? undefined : request.headers?.[key]
  if (!piece) return withHeader(random, request)
  return { ...request, headers: { ...request.headers, [key]: { ...piece, times: resized(random, piece.times ?? 1) } } }
}

/** Another number of rows or another name in each; where there is no body, one that fits. */
function resizedBody(random: Random, request: AttackRequest): AttackRequest {
  const { as, body } = request
  if (as === 'owner' && random.chance(0.3)) return ownerRequest(random)
  if (!body || random.chance(0.2)) {
    if (as === 'viewer' || as === 'owner') return request
    const fitting = request.company === 'large' ? largeBodies : bodies
    return { ...request, method: random.pick(['POST', 'PATCH', 'PUT']), body: random.pick(fitting) }
  }
  const { rows } = body
  const text = random.chance(0.7) ? rows.text : rows.text.replace(/"a+"/, JSON.stringify(name(random).toWellFormed()))
  return { ...request, body: { ...body, rows: { text, times: resized(random, rows.times ?? 1) } } }
}

const pages = settingsRoutes.filter(({ method, path }) => method === 'GET' && !path.includes(':'))

/** An owner writes where owners do: to write elsewhere could end the attack. */
function anotherPath(random: Random, { as, method, path }: AttackRequest): string {
  const rows = random.pick(['project', 'bid'])
  const readable = random.pick(['project', 'bid', 'event', 'field'])
  if (as === 'narrowed') return random.pick(['/rest/v1/', `/rest/v1/${rows}`])
  if (as === 'owner' && method !== 'GET') return path
  if (as === 'key' || as === 'credential') return `/rest/v1/${isWrite({ method }) ? rows : readable}`
  return random.chance(0.5) ? `/api/rest/${rows}` : random.pick(pages).path
}
