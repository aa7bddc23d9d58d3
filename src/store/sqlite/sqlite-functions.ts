import type { Database as Engine } from 'bun:sqlite'
import { matcherOf } from '../../resources/pattern.ts'
import { searcherOf } from '../../resources/search.ts'

/** A statement took longer than it may. The engine stops for nothing else than an error in one of our functions. */
export class TooSlow extends Error {}

/** The engine blocks the whole process, so a scan through rows has less time than a server's has. */
const scanMsMax = 2000
const rememberedMax = 200

/** What PostgreSQL has and SQLite has not. `start` is to be called before each statement. */
export function defineFunctions(engine: Engine): { start(): void } {
  let startedAt: number | null = null
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

  function inTime(): void {
    const now = performance.now()
    startedAt ??= now
    if (now - startedAt > scanMsMax) throw new TooSlow()
  }

  // Put where many rows are visited for each of many others.
  engine.function('in_time', () => {
    inTime()
    return 1
  })
  engine.function('unicode_lower', { deterministic: true }, (text: string) => {
    inTime()
    return text.toLowerCase()
  })
  engine.function('text_matches', { deterministic: true }, (operator: string, text: string, operand: string) => {
    inTime()
    return matcher(operator, operand)(text) ? 1 : 0
  })
  return {
    start: () => {
      startedAt = null
    },
  }
}
