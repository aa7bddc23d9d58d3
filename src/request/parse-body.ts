import { failure } from '../errors.ts'
import { onceForEachText } from '../once-for-each.ts'
import { parseCsv } from './parse-csv.ts'
import { parsePairs } from './parse-query.ts'
import { type BodyLimits, readBody, type Sender } from './read-body.ts'

export type { BodyLimits }

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

/** Reads the body by its content type. Whoever sends none along has the time from now on, and shares memory with all such. */
export function parseBody(http: Request, limits: BodyLimits, sender?: Sender): Promise<Payload> {
  const parse = parserOf(http.headers.get('content-type') ?? 'application/json')
  if (sender) return readBody(http, limits, sender, parse)
  const hold = limits.bytes?.hold('people') ?? null
  return readBody(http, limits, { arrivedAt: performance.now(), hold }, parse).finally(() => hold?.release())
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
