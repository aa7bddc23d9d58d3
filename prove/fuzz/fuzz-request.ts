import type { Random } from '../random.ts'
import { oddText } from './fuzz-text.ts'

/** A request as it goes over the wire: one character for each byte. */
export interface Sent {
  readonly bytes: string
  readonly isHead: boolean
  /** Whether it is HTTP as it should be, so that there must be an answer. */
  readonly isSound: boolean
  /** The account whose session it carries. */
  readonly account?: object
}

export type Fields = readonly (readonly [name: string, value: string])[]

export interface Parts {
  readonly method: string
  readonly target: string
  readonly fields: Fields
  readonly body: string | null
}

/** UTF-8 in one character for each byte. Halves of surrogate pairs become what no UTF-8 may hold. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no header may hold
const impossible = /[\u0000-\u0008\u000a-\u001f\u007f\u0100-\uffff]/g

/** A sound request: what cannot stand in a header is left out of it. */
export function sound({ method, target, fields, body }: Parts, account?: object): Sent {
  const lines = fields.map(([name, value]) => `${name}: ${value.replace(impossible, '').trim()}\r\n`).join('')
  const size = body === null ? '' : `Content-Length: ${body.length}\r\n`
  const bytes = `${method} ${target} HTTP/1.1\r\nHost: fuzz\r\n${lines}${size}\r\n${body ?? ''}`
  return { bytes, isHead: method === 'HEAD', isSound: true, ...(account ? { account } : {}) }
}

/** The same with one thing about the wire itself wrong, or unusual. */
export function unsound(random: Random, parts: Parts): Sent {
  const { bytes, isHead } = sound(parts)
  return { bytes: random.pick(tricks)(random, bytes, parts), isHead, isSound: false }
}

type Trick = (random: Random, bytes: string, parts: Parts) => string

const withField = (bytes: string, field: string): string => bytes.replace('\r\n', `\r\n${field}\r\n`)

const tricks: readonly Trick[] = [
  // Bytes that are lost, doubled, changed or put in, wherever it hits.
  ...Array.from(
    { length: 6 },
    (): Trick => (random, bytes) => {
      const at = random.below(bytes.length)
      const end = at + random.below(random.pick([2, 8, 40]))
      const other = random.some(6, () => String.fromCharCode(random.below(256))).join('')
      return (
        bytes.slice(0, at) +
        random.pick(['', other, bytes.slice(at, end).repeat(2), bytesOf(oddText(random))]) +
        bytes.slice(end)
      )
    },
  ),
  (random) =>
    random.some(200, () => String.fromCharCode(random.below(256))).join('') + random.pick(['', '\r\n\r\n', '\n\n']),
  (random, bytes) => bytes.slice(0, random.below(bytes.length)),
  (random, bytes) =>
    bytes.replace(
      /^\S+/,
      random.pick(['get', 'Get', 'BREW', 'CONNECT', 'TRACE', 'PROPFIND', 'PRI', 'X'.repeat(300), '']),
    ),
  (random, bytes) =>
    bytes.replace(
      'HTTP/1.1',
      random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 x', '', 'HTTP/9.9']),
    ),
  (random, bytes) =>
    bytes.replace(
      'Host: fuzz\r\n',
      random.pick(['', 'Host:\r\n', 'Host: a\r\nHost: b\r\n', 'Host: [::1\r\n', 'Host: a/b?c\r\n', 'Host: é\r\n']),
    ),
  (random, bytes) =>
    bytes.replace(/ \//, random.pick([' http://other/', ' //', ' *', ' /%2e%2e/', ' \\', ' /\u0000/', ' é/', ' '])),
  (random, bytes) =>
    withField(
      bytes,
      random.pick([
        'Content-Length: 5',
        'Content-Length: -1',
        'Content-Length: 0x10',
        'Content-Length: 99999999999999999999',
        'Content-Length: 1, 2',
        'Content-Length : 3',
      ]),
    ),
  (random, bytes) =>
    withField(
      bytes,
      random.pick([
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip, chunked',
        'Transfer-Encoding: identity',
        'Transfer-Encoding: xchunked',
        'Transfer-Encoding:\tchunked',
      ]),
    ),
  (random, bytes) =>
    withField(
      bytes,
      random.pick([
        'Expect: 100-continue',
        'Expect: x',
        'Upgrade: websocket\r\nConnection: Upgrade',
        'Upgrade: h2c',
        'Connection: close',
        'Connection: keep-alive, x',
        ' folded',
        'no colon',
        ': no name',
        'a b: c',
        'X-\u0000: y',
        'X: a\rb',
      ]),
    ),
  (random, bytes) =>
    withField(bytes, Array.from({ length: random.pick([50, 500, 3000]) }, (_, at) => `X-${at}: y`).join('\r\n')),
  (random, bytes) => withField(bytes, `X-Long: ${'y'.repeat(random.pick([9000, 70_000, 140_000]))}`),
  (_, bytes) => bytes.replaceAll('\r\n', '\n'),
  (random, bytes) => random.pick(['\r\n', '\n', ' ', '\u0000', '\u0016\u0003\u0001']) + bytes,
  // Several at once, which HTTP allows and few clients do.
  (random, bytes) => bytes.repeat(2 + random.below(4)),
  (random, bytes) => bytes + bytes.slice(0, random.below(bytes.length)),
  chunked,
  chunked,
]

/** The body in chunks, some of which are not as they should be. */
function chunked(random: Random, bytes: string, { body }: Parts): string {
  const text = body ?? '{}'
  const cut = random.below(text.length + 1)
  const size = (length: number) =>
    random.pick([
      length.toString(16),
      length.toString(16).toUpperCase(),
      `000${length.toString(16)}`,
      `${length.toString(16)};a=b`,
      random.chance(0.2) ? 'ffffffffffffffff' : length.toString(16),
      random.chance(0.2) ? 'zz' : length.toString(16),
    ])
  const chunk = (part: string) => (part === '' ? '' : `${size(part.length)}\r\n${part}\r\n`)
  const end = random.pick(['0\r\n\r\n', '0\r\n\r\n', '0\r\n\r\n', '0\r\nX: y\r\n\r\n', '0\r\n', '', '0\n\n'])
  const head = bytes.slice(0, bytes.indexOf('\r\n\r\n')).replace(/\r\nContent-Length: \d+/, '')
  return `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(text.slice(0, cut))}${chunk(text.slice(cut))}${end}`
}
