/** A request of the adversary as data: small enough to read, and to send again. */
export interface AttackRequest {
  readonly as: Attacker
  /** Whose rows: `large` is a company of few rows that are as large as they may be. Without it, one of very many rows. */
  readonly company?: 'large'
  readonly method: string
  readonly path: string
  /** Parts of the query as they stand in a URL. */
  readonly query?: readonly Piece[]
  readonly headers?: Readonly<Record<string, Piece>>
  readonly body?: Body
  /** How the connection is used; without it, as every client does. */
  readonly manner?: Manner
  /** So many of them at once, each on a connection of its own; without it, one. */
  readonly copies?: number
  /** Follows once the streams of the first are open. What both do counts as one. */
  readonly next?: AttackRequest
}

/** `narrowed`: credentials that may each do something else, one for each copy. */
export const attackers = ['key', 'credential', 'narrowed', 'viewer', 'owner'] as const
export type Attacker = (typeof attackers)[number]

/** `half` sends half of it and `unread` reads nothing, and both wait; `slow` sends it in small parts. */
export const manners = ['half', 'unread', 'slow'] as const
export type Manner = (typeof manners)[number]

/**
 * A text, so often. `§` in it is the number of the repetition, `§§§§` the same with four digits, and `¶` that of the copy.
 * `«ab×3»` is `ababab`.
 */
export interface Piece {
  readonly text: string
  readonly times?: number
}

export interface Body {
  readonly type: string
  /** The first line of a CSV. */
  readonly head?: string
  readonly rows: Piece
}

/** What every request of one attacker carries. */
export type Identity = Readonly<Record<string, string>>

export const headBytesMax = 120_000
export const bodyBytesMax = 10_485_760

/** The bytes of each copy. Copies that do not differ share theirs. */
export function composeCopies(request: AttackRequest, identities: readonly Identity[]): readonly Buffer[] {
  const { copies = 1 } = request
  const identityOf = (copy: number): Identity => identities[copy % identities.length] ?? {}
  const first = compose(request, identityOf(0), 0)
  const isAlike = identities.length === 1 && !JSON.stringify(request).includes('¶')
  if (copies === 1 || isAlike) return Array.from({ length: copies }, () => first)
  return [first, ...Array.from({ length: copies - 1 }, (_, at) => compose(request, identityOf(at + 1), at + 1))]
}

export const isWrite = ({ method }: Pick<AttackRequest, 'method'>): boolean => method !== 'GET' && method !== 'HEAD'

/** Its answers have no end. */
export const isStream = ({ method, headers = {} }: AttackRequest): boolean =>
  method === 'GET' && headers.Accept?.text === 'text/event-stream'

/** Nothing more is done on its connections for a while. */
export const isHeld = (request: AttackRequest): boolean =>
  request.manner === 'half' || request.manner === 'unread' || isStream(request)

/** Streams wait together for what happens, and tests of webhooks for servers of others, so that many of them are one attack. */
export const isOneAttack = (request: AttackRequest): boolean =>
  (request.copies ?? 1) === 1 || isStream(request) || request.path.endsWith('/test')

function compose({ method, path, query = [], headers = {}, body }: AttackRequest, identity: Identity, copy: number) {
  const pairs = query.flatMap((piece) => repeated(piece, copy)).join('&')
  const own = Object.entries(headers).map(([name, piece]) => [name, repeated(piece, copy).join(', ')])
  const content = body ? Buffer.from(bodyText(body, copy)) : null
  const fields = [
    ...Object.entries(identity),
    ...own,
    ...(body && content
      ? [
          ['Content-Type', body.type],
          ['Content-Length', String(content.length)],
        ]
      : []),
  ]
  const lines = fields.map(([name, value]) => `${name}: ${fieldText(value ?? '')}\r\n`).join('')
  // A change may cut a character in two.
  const written = `${path}${pairs === '' ? '' : `?${pairs}`}`.toWellFormed()
  const target = written.replace(/[^!-~]/gu, (letter) => encodeURIComponent(letter))
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: prove\r\n${lines}\r\n`)
  return content ? Buffer.concat([head, content]) : head
}

/** What cannot stand in a header is left out of it. */
const fieldText = (value: string): string => value.replace(/[^ -~]/g, '').trim()

function bodyText({ type, head, rows }: Body, copy: number): string {
  const texts = repeated(rows, copy)
  if (type === 'text/csv') return [head ?? '', ...texts].join('\n')
  if (type !== 'application/json') return texts.join('&')
  return rows.times === undefined ? texts.join('') : `[${texts.join(',')}]`
}

function repeated({ text, times = 1 }: Piece, copy: number): string[] {
  const own = stretched(text).replaceAll('¶', String(copy))
  if (!own.includes('§')) return Array(times).fill(own)
  return Array.from({ length: times }, (_, at) => own.replace(/§+/g, ({ length }) => String(at).padStart(length, '0')))
}

const stretched = (text: string): string =>
  text.replace(stretches, (_, part: string, times: string) => part.repeat(timesOf(part, times)))
const stretches = /«([^«»]*)×(\d+)»/g
const timesOf = (part: string, times: string): number => Math.min(Number(times), bodyBytesMax / (part.length + 1))

/** Each of them once. */
export const distinct = (requests: readonly AttackRequest[]): readonly AttackRequest[] => [
  ...new Map(requests.map((request) => [JSON.stringify(request), request])).values(),
]

const sizeOf = ({ text, times = 1 }: Piece): number => (stretched(text).length + 1) * times

export const headSize = ({ query = [], headers = {} }: AttackRequest): number =>
  [...query, ...Object.values(headers)].reduce((sum, piece) => sum + sizeOf(piece), 0)

export const bodySize = ({ body }: AttackRequest): number => (body ? sizeOf(body.rows) : 0)

/** What a reader wants to know of it, in one line. */
export function describeRequest(request: AttackRequest): string {
  const { as, company, method, path, query = [], copies = 1, manner = 'whole', next } = request
  const shown = query.map(({ text, times = 1 }) => `${times} × ${text.slice(0, 60)}`).join(' & ')
  const who = company ? `${as} of ${company} rows` : as
  const kind = isStream(request) ? 'stream' : manner
  const after = next ? `, then ${describeRequest(next)}` : ''
  return `${who} ${method} ${path}?${shown} (${copies} × ${kind}, ${headSize(request) + bodySize(request)} bytes)${after}`
}
