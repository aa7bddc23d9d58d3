import { failure } from '../errors/index.ts'
import { matcherOf } from '../resources/text/pattern-matcher.ts'
import { sizeOfPattern } from '../resources/text/pattern-size.ts'
import type { Comparison, Values } from './plan.ts'
import { operandsOf } from './plan-condition.ts'

/** In all regular expressions of a request. PostgreSQL compiles so many steps in a few milliseconds; its time grows faster than they do. */
const partsMax = 500
const stepsMax = 1500
/** In one regular expression. */
const anchorsMax = 6

/** Refuses regular expressions that would take long to compile, before any is, and those that are not well-formed. */
export function preparePatterns(comparisons: readonly Comparison[], values: Values): void {
  const patterns = comparisons.flatMap((comparison) =>
    operandsOf(comparison, values).map((pattern) => ({ pattern, ignoreCase: comparison.operator === 'imatch' })),
  )
  const sizes = patterns.map(({ pattern, ignoreCase }) => sizeOfPattern(pattern, ignoreCase))
  if (total(sizes.map(({ parts }) => parts)) > partsMax)
    throw failure.tooMuch(
      'parts of regular expressions',
      partsMax,
      'A part counts as often as it is repeated, and repetitions within each other multiply. Use smaller numbers in {n,m}, or * and +.',
    )
  if (total(sizes.map(({ steps }) => steps)) > stepsMax)
    throw failure.tooMuch(
      'steps between the parts of regular expressions',
      stepsMax,
      'Put fewer parts that may be absent (?, *, {0,n}) next to each other, use narrower ranges, or send fewer expressions.',
    )
  if (sizes.some(({ anchors }) => anchors > anchorsMax))
    throw failure.tooMuch('anchors one after another', anchorsMax, 'Use ^ once at the beginning and $ once at the end.')
  for (const { pattern, ignoreCase } of patterns) matcherOf(pattern, ignoreCase)
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
