import type { Database as Engine } from 'bun:sqlite'
import { memoizeText } from '../../caches/memoize.ts'
import type { SearchLanguage } from '../../resources/text/languages.ts'
import { matcherOf } from '../../resources/text/pattern-matcher.ts'
import { searcherOf } from '../../resources/text/search-text.ts'
import { castDouble, castNumeric, numericKey } from '../../types/cast-number.ts'
import { castText, type TextCastName } from '../../types/cast-text.ts'
import { exactAverage, exactSum, scaledText } from '../../types/exact.ts'
import { numberText, roundedNumber } from '../../types/number.ts'
import { type Accumulator, numericAggregates } from '../../types/numeric-aggregates.ts'
import type { ListOperator } from '../../types/operators.ts'
import { listComparisons, listText } from '../../types/text-list.ts'
import { zoneClock } from '../../types/zone-clock.ts'
import { type ZonedCast, zonedCast } from '../../types/zoned-cast.ts'
import { embeddedBytesMax } from '../limits.ts'

/** A row embeds more than the limit. Only an error in one of our functions can stop a running statement. */
export class TooLarge extends Error {}

/** A statement has refused what it was to write. */
export class Refused extends Error {}

/** Counts the bytes that are embedded in a row. */
export interface RowBudget {
  /** Call it before each statement, and before each row if rows are read one by one. */
  start(): void
}

const searchersMax = 200

/** How `text_matches` compares: by a regular expression, or by a search in a language. */
export type TextMatch = 'match' | 'imatch' | SearchLanguage

/** Functions that the column types use in SQL. Each returns null for null. */
const typeFunctions = {
  number_text: (value: number | null) => (value === null ? null : numberText(value)),
  rounded_number: (value: number | null) => (value === null ? null : roundedNumber(value)),
  decimal_text: (value: string | null, scale: number) => value && scaledText(value, scale),
  exact_sum: (billions: string | null, below: string, scale: number) => billions && exactSum(billions, below, scale),
  exact_average: (billions: string | null, below: string, count: number, scale: number) =>
    billions && exactAverage(billions, below, count, scale),
  cast_text: (type: TextCastName, text: string | null) => (text === null ? null : castText(type, text)),
  cast_numeric: (type: Parameters<typeof castNumeric>[0], value: string | null) => value && castNumeric(type, value),
  cast_double: (type: Parameters<typeof castDouble>[0], value: number | null) =>
    value === null ? null : castDouble(type, value),
  numeric_key: (value: string | null) => value && numericKey(value),
  zoned_cast: (to: ZonedCast, value: string | null, zone: string) => value && zonedCast(to, zoneClock(zone)(value)),
  list_text: (list: string | null) => list && listText(JSON.parse(list)),
  list_compares: (kind: ListOperator, value: string | null, operand: string) =>
    value && Number(listComparisons[kind](value, operand)),
}

/** Defines the functions that SQLite lacks. */
export function defineFunctions(engine: Engine): RowBudget {
  let embeddedBytes = 0
  const searchers = {
    simple: memoizeText((query) => searcherOf(query, 'simple'), searchersMax),
    english: memoizeText((query) => searcherOf(query, 'english'), searchersMax),
  } satisfies Record<SearchLanguage, unknown>
  const matcher = (kind: TextMatch, operand: string): ((text: string) => boolean) =>
    kind === 'match' || kind === 'imatch' ? matcherOf(operand, kind === 'imatch') : searchers[kind](operand)

  engine.function('embedded', (bytes: number) => {
    embeddedBytes += bytes
    if (embeddedBytes > embeddedBytesMax) throw new TooLarge()
    return 1
  })
  engine.function('refuse', (words: string) => {
    throw new Refused(words)
  })
  engine.function('unicode_lower', { deterministic: true }, (text: string | null) => text?.toLowerCase() ?? null)
  engine.function('text_matches', { deterministic: true }, (kind: TextMatch, text: string | null, operand: string) =>
    text === null ? null : matcher(kind, operand)(text) ? 1 : 0,
  )
  for (const [name, work] of Object.entries(typeFunctions)) engine.function(name, { deterministic: true }, work)
  for (const [name, start] of Object.entries(numericAggregates))
    engine.aggregate(`numeric_${name}`, { start, step: addUnlessNull, result: (all) => all.result() })
  return {
    start: () => {
      embeddedBytes = 0
    },
  }
}

function addUnlessNull(all: Accumulator, value: string | null): void {
  if (value !== null) all.add(value)
}
