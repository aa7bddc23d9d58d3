import { memoizeText } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import type { Hold } from '../traffic/byte-budget.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { parseCsv } from './parse-csv.ts'
import { parseJson } from './parse-json.ts'
import { hasMore, parsePairs } from './parse-query.ts'
import type { Parsed, Parsing, Payload } from './payload.ts'
import { rowCharactersMax, rowFieldsMax, rowTooLong } from './row-limits.ts'

type Parse = (text: string, hold: Hold | null) => Parsed | Parsing

const parsers: Readonly<Record<string, Parse>> = {
  'application/json': parseJson,
  'text/csv': parseCsv,
  'application/x-www-form-urlencoded': parseForm,
}

/** How to read a body of this content type. A long one is read in steps, and others are served between them. */
export const payloadParserOf = memoizeText((contentType) => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const parse = Object.hasOwn(parsers, type) ? parsers[type] : undefined
  if (!parse) throw failure.contentTypeUnsupported(type, Object.keys(parsers).join(', '))
  return (bytes: Uint8Array, hold: Hold | null): Payload | Promise<Payload> =>
    bytes.byteLength > rowCharactersMax ? parseInSteps(bytes, parse, hold) : parseAtOnce(decode(bytes), parse, hold)
})

function parseAtOnce(text: string, parse: Parse, hold: Hold | null): Payload {
  const parsed = parse(text, hold)
  return { text, ...('next' in parsed ? lastOf(parsed) : parsed) }
}

function lastOf(parsing: Parsing): Parsed {
  let step = parsing.next()
  while (!step.done) step = parsing.next()
  return step.value
}

async function parseInSteps(bytes: Uint8Array, parse: Parse, hold: Hold | null): Promise<Payload> {
  const text = decode(bytes)
  await nextTurn()
  const parsed = parse(text, hold)
  return { text, ...('next' in parsed ? await lastInSteps(parsed) : parsed) }
}

async function lastInSteps(parsing: Parsing): Promise<Parsed> {
  for (;;) {
    const { done, value } = parsing.next()
    // After the last step too: what comes next is the plan, which takes its time.
    await nextTurn()
    if (done) return value
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw failure.bodyInvalid('The body is not valid UTF-8', 'Encode the body as UTF-8.')
  }
}

function parseForm(text: string): Parsed {
  // What curl calls a body unless it is told otherwise.
  if (/^\s*[{[]/.test(text))
    throw failure.bodyInvalid(
      'A form was announced, but the body looks like JSON',
      'Send Content-Type: application/json.',
    )
  if (hasMore(text, '&', rowFieldsMax - 1))
    throw failure.tooMuch('fields', rowFieldsMax, 'Send those that the resource has.')
  if (text.length > rowCharactersMax) throw rowTooLong()
  // A field without an equals sign is an empty text.
  const fields = text.replace(/(?<=^|&)[^=&]+(?=&|$)/g, '$&=')
  return { single: true, rows: [Object.fromEntries(parsePairs(fields))] }
}
