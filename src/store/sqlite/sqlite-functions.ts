import type { Database as Engine } from 'bun:sqlite'
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

const rememberedMax = 200

/** What PostgreSQL has and SQLite has not. */
export function defineFunctions(engine: Engine): RowBudget {
  let embeddedBytes = 0
  const remembered = new Map<string, (text: string) => boolean>()

  function matcher(operator: string, operand: string): (text: string) => boolean {
    const key = `${operator} ${operand}`
    const known = remembered.get(key)
    if (known) return known
    const made = operator === 'fts' ? searcherOf(operand) : matcherOf(operand, operator === 'imatch')
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, made)
    return made
  }

  engine.function('embedded', (bytes: number) => {
    embeddedBytes += bytes
    if (embeddedBytes > embeddedBytesMax) throw new TooLarge()
    return 1
  })
  engine.function('unicode_lower', { deterministic: true }, (text: string) => text.toLowerCase())
  engine.function('text_matches', { deterministic: true }, (operator: string, text: string, operand: string) =>
    matcher(operator, operand)(text) ? 1 : 0,
  )
  return {
    start: () => {
      embeddedBytes = 0
    },
  }
}
