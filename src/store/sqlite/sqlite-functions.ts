import type { Database as Engine } from 'bun:sqlite'
import { memoizeText } from '../../memoize.ts'
import { matcherOf } from '../../resources/pattern.ts'
import { searcherOf } from '../../resources/search.ts'
import { embeddedBytesMax } from '../limits.ts'

/** More is embedded in a row than one may hold. The engine stops for nothing else than an error in one of our functions. */
export class TooLarge extends Error {}

/** Counts what is embedded in a row. */
export interface RowBudget {
  /** To be called before each statement, and before each row where rows are read one by one. */
  start(): void
}

const searchersMax = 200

/** What PostgreSQL has and SQLite has not. */
export function defineFunctions(engine: Engine): RowBudget {
  let embeddedBytes = 0
  const searchers = memoizeText(searcherOf, searchersMax)
  const matcher = (operator: string, operand: string): ((text: string) => boolean) =>
    operator === 'fts' ? searchers(operand) : matcherOf(operand, operator === 'imatch')

  engine.function('embedded', (bytes: number) => {
    embeddedBytes += bytes
    if (embeddedBytes > embeddedBytesMax) throw new TooLarge()
    return 1
  })
  engine.function('unicode_lower', { deterministic: true }, (text: string | null) => text?.toLowerCase() ?? null)
  engine.function('text_matches', { deterministic: true }, (operator: string, text: string | null, operand: string) =>
    text === null ? null : matcher(operator, operand)(text) ? 1 : 0,
  )
  return {
    start: () => {
      embeddedBytes = 0
    },
  }
}
