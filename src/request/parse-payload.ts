import { failure } from '../errors.ts'
import { onceForEachText } from '../once-for-each.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import type { Payload } from './parse-body.ts'
import { parseCsv } from './parse-csv.ts'
import { parseJson } from './parse-json.ts'
import { hasMore, parsePairs } from './parse-query.ts'
import { rowCharactersMax, rowFieldsMax, rowTooLong } from './row-limits.ts'

/** What a text says, in steps that each take little time. */
export type Parsing = Generator<void, Omit<Payload, 'text'>>

const parsers: Readonly<Record<string, (text: string) => Parsing>> = {
  'application/json': parseJson,
  'text/csv': parseCsv,
  'application/x-www-form-urlencoded': parseForm,
}

/** How to read a body of this content type. A long one is read in steps, and others are served between them. */
export const payloadParserOf = onceForEachText((contentType) => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const parse = Object.hasOwn(parsers, type) ? parsers[type] : undefined
  if (!parse) throw failure.contentTypeUnsupported(type, Object.keys(parsers).join(', '))
  return (bytes: Uint8Array): Payload | Promise<Payload> =>
    bytes.byteLength > rowCharactersMax ? parseInSteps(bytes, parse) : parseAtOnce(decode(bytes), parse)
})

function parseAtOnce(text: string, parse: (text: string) => Parsing): Payload {
  const parsing = parse(text)
  let step = parsing.next()
  while (!step.done) step = parsing.next()
  return { ...step.value, text }
}

async function parseInSteps(bytes: Uint8Array, parse: (text: string) => Parsing): Promise<Payload> {
  const text = decode(bytes)
  const parsing = parse(text)
  for (;;) {
    await nextTurn()
    const { done, value } = parsing.next()
    if (!done) continue
    // What comes next is the plan, which takes its time too.
    await nextTurn()
    return { ...value, text }
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

// biome-ignore lint/correctness/useYield: a form is one short row, which takes a single step
function* parseForm(text: string): Parsing {
  // What curl calls a body unless it is told otherwise.
  if (/^\s*[{[]/.test(text))
    throw failure.bodyInvalid(
      'A form was announced, but the body looks like JSON',
      'Send Content-Type: application/json.',
    )
  if (hasMore(text, '&', rowFieldsMax - 1))
    throw failure.tooMuch('fields', rowFieldsMax, 'Send those that the resource has.')
  if (text.length > rowCharactersMax) throw rowTooLong()
  return { single: true, rows: [Object.fromEntries(parsePairs(text))] }
}
