import type { Field } from '../plan/plan.ts'
import { typeOf } from '../resources/define.ts'

/** What one field of a row takes at most, with its key. */
export function fieldBytes({ key, column, cast, aggregate, aggregateCast }: Field): number {
  const value = column ? typeOf(column).jsonBytesMax(column) : countBytesMax
  const added = (cast ?? aggregateCast) !== null ? castBytes : aggregate !== null ? aggregateBytes : 0
  return key.length * characterBytesMax + value + added + 4
}

/** One character in JSON: `\u0000`. */
const characterBytesMax = 6
const countBytesMax = 16

/** A cast can make the text of a value longer: `1e99::numeric` has a hundred digits, and an average some more. */
const castBytes = 128
/** An average has more digits than its values. */
const aggregateBytes = 32
