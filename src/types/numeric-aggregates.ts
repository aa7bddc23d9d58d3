import { digitsOf, type Numeric } from './cast-number.ts'
import { exactAverage, scaledText } from './exact.ts'

/** Takes values one by one and keeps only what the result depends on, so that many of them need no more memory than few. */
export interface Accumulator {
  add(numeric: string): void
  /** null where there was no value. */
  result(): string | null
}

/** Aggregates of numerics for SQLite, which has no such type. */
export const numericAggregates = {
  sum: () => createSum(({ digits, scale }) => scaledText(String(digits), scale)),
  avg: () => createSum(({ digits, scale }, count) => exactAverage('0', String(digits), count, scale)),
  // Of equal ones the last, as in PostgreSQL: 2.50 may come after 2.5.
  max: () => createExtreme((one, other) => one >= other),
  min: () => createExtreme((one, other) => one <= other),
} as const satisfies Record<string, () => Accumulator>

function createSum(show: (sum: Numeric, count: number) => string): Accumulator {
  let sum: Numeric = { digits: 0n, scale: 0 }
  let count = 0
  return {
    add: (numeric) => {
      const [one, other, scale] = aligned(sum, digitsOf(numeric))
      sum = { digits: one + other, scale }
      count += 1
    },
    result: () => (count === 0 ? null : show(sum, count)),
  }
}

function createExtreme(isBeyond: (one: bigint, other: bigint) => boolean): Accumulator {
  let best: { readonly text: string; readonly value: Numeric } | null = null
  return {
    add: (text) => {
      const value = digitsOf(text)
      const [one, other] = aligned(value, best?.value ?? value)
      if (isBeyond(one, other)) best = { text, value }
    },
    result: () => best?.text ?? null,
  }
}

/** The digits of both with the same number of them after the point, and that number. */
function aligned(one: Numeric, other: Numeric): readonly [one: bigint, other: bigint, scale: number] {
  const scale = Math.max(one.scale, other.scale)
  return [digitsAt(one, scale), digitsAt(other, scale), scale]
}

const digitsAt = ({ digits, scale }: Numeric, wanted: number): bigint =>
  scale === wanted ? digits : digits * 10n ** BigInt(wanted - scale)
