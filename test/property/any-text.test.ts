import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ApiError } from '../../src/errors/index.ts'
import { parseFilter, parseLogic } from '../../src/request/parse-filter.ts'
import { parseOrder } from '../../src/request/parse-order.ts'
import { parseQuery } from '../../src/request/parse-query.ts'
import { intersectRange, parseRange } from '../../src/request/parse-range.ts'
import { parseSelect } from '../../src/request/parse-select.ts'
import type { ColumnType } from '../../src/types/column-type.ts'
import { columnTypes } from '../../src/types/index.ts'
import { growsInLine } from '../support/growth.ts'

/** Everything in a URL that a client can write as it likes. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  select: parseSelect,
  order: parseOrder,
  filter: (text) => parseFilter('id', text, []),
  and: (text) => parseLogic({ kind: 'and', negated: false }, text, []),
  'not.or': (text) => parseLogic({ kind: 'or', negated: true }, text, []),
  columns: (text) => parseQuery(`columns=${encoded(text)}`),
  on_conflict: (text) => parseQuery(`on_conflict=${encoded(text)}`),
  limit: (text) => parseRange(text, undefined),
  offset: (text) => parseRange(undefined, text),
  'range header': (text) => intersectRange({ offset: 0, limit: null }, text),
  'parameter name': (text) => parseQuery(`${encoded(text)}=eq.1`),
  'query string': parseQuery,
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Any UTF-16 at all, halves of surrogate pairs included. */
const anyUnits = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 })

/** Words of the dialect in any order: nearly right is where parsers break. */
const words =
  'select order limit offset id bid project_name and or not. eq. in. is. like. fts(simple). null any all asc desc nullsfirst ' +
  '( ) , . : :: ! ... * { } " \\ - -> ->> + % %00 %ff & = 0 9 1e9 - count() sum() inner text \u0000 é 😀'
const nearlyRight = fc
  .array(fc.constantFrom(...words.split(' '), ' '), { maxLength: 40 })
  .map((parts) => parts.join(''))
const anyText = fc.oneof(anyUnits, fc.string({ unit: 'binary' }), nearlyRight)

/** Parses, or says what is wrong with the request; anything else goes through as it is thrown. */
function parsesOrRefuses(parse: (text: string) => unknown, text: string): void {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect([400, 416]).toContain(error.status)
    expect(error.code).toMatch(/^[0-9A-Z]{5}$|^PGRST\d{3}$/)
    expect(error.message).not.toBe('')
  }
}

describe('any text parses or is a clean 400 or 416', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    test(`as ${name}`, () => {
      fc.assert(
        fc.property(anyText, (text) => parsesOrRefuses(parse, text)),
        { numRuns: 1000 },
      )
    })
  }

  test('what parses once parses to the same again: no parser remembers where it stood', () => {
    const outcome = (parse: (text: string) => unknown, text: string): string => {
      try {
        return JSON.stringify(parse(text), (_, value) => (value instanceof Map ? [...value] : value)) ?? ''
      } catch (error) {
        return String(error)
      }
    }
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(parsers)), nearlyRight, (parse, text) => {
        expect(outcome(parse, text)).toBe(outcome(parse, text))
      }),
    )
  })
})

/** As long as a URL may reasonably be, made of one piece again and again, behind a beginning that leads a parser into it. */
const lengthMax = 60_000
const pieces = [
  ...[
    '(',
    ')',
    ',',
    '"',
    '\\',
    '\\"',
    '"\\',
    '",',
    ',"',
    '"a",',
    '\\",',
    '"\\,',
    '{',
    '}',
    '[',
    ' ',
    '-',
    '->',
    '.',
    ':',
    '::',
  ],
  ...[
    'a',
    'a.',
    'a,',
    'a-',
    'a ',
    ' a',
    'a(',
    'a()',
    'a(),',
    'a!',
    'a:',
    '!inner',
    '...',
    '*',
    '*,',
    '%',
    '&',
    '=',
    '+',
    '%2C',
  ],
  ...[
    'not.',
    'not.and(',
    'and(',
    'or(',
    'id.eq.1,',
    'id.in.(',
    'id.in.(",',
    'in.(',
    'eq.',
    'is.null',
    'count()',
    '0',
    '9',
    '😀',
    '\ud800',
  ],
]
const beginnings = [
  '',
  'in.(',
  'in.("',
  'eq(any).{',
  'like.',
  '(',
  '(id.in.(',
  '(id.eq."',
  '(id.eq.{',
  'a(',
  '"',
  'a:',
  'id=in.(',
]

describe('four times as long a parameter takes at most eight times as long', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    test(`as ${name}, whatever its shape`, () => {
      const slow = pieces.flatMap((piece) =>
        beginnings.flatMap((beginning) => {
          const run = (length: number) => {
            const text = beginning + piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
            return () => parsesOrRefuses(parse, text)
          }
          return growsInLine(run(lengthMax / 4), run(lengthMax)) ? [] : [`${beginning}${piece}…`]
        }),
      )
      expect(slow).toEqual([])
    }, 600_000)
  }
})

/** What a type reads a text by: as an operand, as a value that is then stored, and as a cell of a file. */
const readers: Readonly<Record<string, (type: ColumnType, text: string) => unknown>> = {
  operand: (type, text) => type.parseOperand(text),
  value: (type, text) => type.brokenRule?.(type.parse(text, 'column'), {}),
  cell: (type, text) => type.inFiles.read?.(text, {}),
}

const types: Readonly<Record<string, ColumnType>> = columnTypes
const examples = Object.values(types).flatMap(({ jsonSchema, filterExample }) => [
  ...jsonSchema.examples.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  filterExample.slice(filterExample.indexOf('.') + 1),
])
/** Every beginning of every value: what one type takes leads another furthest into its spelling. */
const valueBeginnings = [
  ...new Set(examples.flatMap((one) => Array.from({ length: one.length + 1 }, (_, end) => one.slice(0, end)))),
]
const valuePieces = [' ', '\n', '0', '1', '-', '+', '.', ':', 'a', 'ä', '{', '}', '"', '\\', ',']
/** No type takes a text that ends so, but those that take any. */
const wrongEnds = ['!', ' !']
/** Enough to notice: what goes back from every character takes 200 ms at least. */
const valueLength = 20_000

const valueShapes = valueBeginnings.flatMap((beginning) =>
  valuePieces.flatMap((piece) => wrongEnds.map((end) => ({ beginning, piece, end }))),
)

describe('four times as long a value takes at most eight times as long', () => {
  for (const [name, type] of Object.entries(types)) {
    test(`of the type ${name}, whatever its shape`, () => {
      const slow = Object.entries(readers).flatMap(([as, read]) =>
        valueShapes.flatMap(({ beginning, piece, end }) => {
          const run = (length: number) => {
            const text = beginning + piece.repeat(length) + end
            return () => parsesOrRefuses((value) => read(type, value), text)
          }
          return growsInLine(run(valueLength / 4), run(valueLength)) ? [] : [`${as} ${beginning}${piece}…${end}`]
        }),
      )
      expect(slow).toEqual([])
    }, 600_000)
  }
})

test('the address of a host with a hundred thousand names is refused by its length', () => {
  const refuse = (names: number) => () => {
    expect(columnTypes.url.brokenRule?.(`https://${'ä.'.repeat(names)}`, {})).toContain('of at most 2000 characters')
  }
  expect(growsInLine(refuse(25_000), refuse(100_000))).toBe(true)
}, 600_000)

test('a parser that looks back from every character would be noticed', () => {
  const lookBack = (length: number) => () => {
    const text = `${'('.repeat(length)}x`
    let found = 0
    for (let at = 0; at < length; at += 1) if (text.lastIndexOf(')', at) >= 0) found += 1
    expect(found).toBe(0)
  }
  expect(growsInLine(lookBack(30_000), lookBack(120_000))).toBe(false)
}, 600_000)
