import { failure } from '../errors.ts'
import { onceForEachText } from '../once-for-each.ts'
import { createDeadline } from '../traffic/deadline.ts'
import { parseCsv } from './parse-csv.ts'
import { parsePairs } from './parse-query.ts'

/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** More than fit into a body of the usual size, unless they are empty; each costs some work before it is looked at. */
const rowsMax = 250_000
const fieldsMax = 100

const parsers: Readonly<Record<string, (text: string) => Omit<Payload, 'text'>>> = {
  'application/json': parseJson,
  'text/csv': (text) => ({ single: false, rows: parseCsv(text, rowsMax) }),
  'application/x-www-form-urlencoded': parseForm,
}

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly idleTimeoutS: number
}

/** Reads the body by its content type, never more of it than the limit, and for no longer than it may take. */
export function parseBody(http: Request, { bodyBytesMax, idleTimeoutS }: BodyLimits): Promise<Payload> {
  const parse = parserOf(http.headers.get('content-type') ?? 'application/json')
  const declared = http.headers.get('content-length')
  if (Number(declared) > bodyBytesMax) throw failure.bodyTooLarge(bodyBytesMax)
  const reading = declared !== null || http.body === null ? http.bytes() : readChunks(http.body, bodyBytesMax)
  // The runtime closes a connection without a word after the idle time; half of it leaves time to say why.
  const timeMs = idleTimeoutS * 500 + Number(declared ?? bodyBytesMax) / bytesPerMsMin
  return inTime(reading, timeMs, parse, () => {})
}

const parserOf = onceForEachText((header) => {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const parse = Object.hasOwn(parsers, type) ? parsers[type] : undefined
  if (!parse) throw failure.contentTypeUnsupported(type, Object.keys(parsers).join(', '))
  return (bytes: Uint8Array): Payload => {
    const text = decode(bytes)
    return { ...parse(text), text }
  }
})

/** The rate below which the runtime takes a sender for idle. */
const bytesPerMsMin = 16

/** Whoever closed the connection, the rest of the body will not come. */
const inTime = createDeadline(failure.bodyLate, (error) =>
  error instanceof Error && error.name === 'AbortError' ? failure.bodyLate() : error,
)

async function readChunks(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > bytesMax) throw failure.bodyTooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw failure.bodyInvalid('The body is not valid UTF-8', 'Encode the body as UTF-8.')
  }
}

function parseForm(text: string): Omit<Payload, 'text'> {
  // What curl calls a body unless it is told otherwise.
  if (/^\s*[{[]/.test(text))
    throw failure.bodyInvalid(
      'A form was announced, but the body looks like JSON',
      'Send Content-Type: application/json.',
    )
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > fieldsMax) throw failure.tooMuch('fields', fieldsMax, 'Send those that the resource has.')
  }
  return { single: true, rows: [Object.fromEntries(parsePairs(text))] }
}

function parseJson(text: string): Omit<Payload, 'text'> {
  const body = parseJsonText(text)
  if (isObject(body)) return { single: true, rows: [body] }
  if (!Array.isArray(body))
    throw failure.bodyInvalid('Empty or invalid json', 'Send a JSON object, or an array of objects.')
  if (body.length > rowsMax) throw failure.tooMuch('rows', rowsMax, 'Split them into several requests.')
  if (!body.every(isObject))
    throw failure.bodyInvalid('All object keys must match', 'Every element of the array must be an object.')
  return { single: false, rows: body }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failure.bodyInvalid('Empty or invalid json', 'Send a JSON object, or an array of objects.')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
