import type { Statement } from 'bun:sqlite'
import type { GatheredEvent } from '../events/compile-events.ts'
import { parameter, render, sql } from '../sql.ts'
import { countOn, sqliteDialect } from './sqlite-dialect.ts'

/** The events of writes that share a commit. They are numbered together, because to count each costs as much as to write it. */
export interface GatheredEvents {
  add(event: GatheredEvent): void
  /** How many wait. */
  readonly size: number
  /** Forgets those of a write that has failed. */
  cut(size: number): void
  write(): void
}

/** Takes a company and how many numbers it needs, and tells the last of them. */
const takeText = render(sql`${countOn(sql`${parameter(1)}`)} returning last_sequence`, sqliteDialect.placeholder)

export function createGatheredEvents(prepare: (text: string) => Statement): GatheredEvents {
  const waiting: GatheredEvent[] = []

  /** The number before the next one of each company. */
  function takeNumbers(): Map<unknown, number> {
    const numbers = new Map<unknown, number>()
    for (const { values } of waiting) numbers.set(values[0], (numbers.get(values[0]) ?? 0) + 1)
    for (const [companyId, count] of numbers) {
      const [[last] = []] = prepare(takeText).values(companyId as string, count)
      numbers.set(companyId, Number(last) - count)
    }
    return numbers
  }

  return {
    add: (event) => void waiting.push(event),
    get size() {
      return waiting.length
    },
    cut: (size) => {
      waiting.length = size
    },
    write: () => {
      if (waiting.length === 0) return
      const numbers = takeNumbers()
      for (const event of waiting) {
        const number = (numbers.get(event.values[0]) ?? 0) + 1
        numbers.set(event.values[0], number)
        // Values are bound by position; the driver's type wants a tuple.
        const values = event.values as string[]
        prepare(render(event, sqliteDialect.placeholder)).run(...values, number)
      }
      waiting.length = 0
    },
  }
}
