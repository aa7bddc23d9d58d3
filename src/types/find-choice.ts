import { memoize } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import { type Rules, shown } from './column-type.ts'

type Choices = NonNullable<Rules['choices']>

/** The value of a choice by its value or, in any case, by its label. A value counts before a label. */
export function findChoice(text: string, rules: Rules): string {
  const found = valuesBy(text, rules)
  const [first, another] = found
  if (first === undefined) throw failure.choiceUnknown(shown(text), rules.choices?.map(({ label }) => label) ?? [])
  if (another !== undefined) throw failure.choiceAmbiguous(shown(text), found)
  return first
}

export const isChoice = (text: string, rules: Rules): boolean => valuesBy(text, rules).length > 0

function valuesBy(text: string, { choices = [] }: Rules): readonly string[] {
  const { values, byLabel } = namesOf(choices)
  return values.has(text) ? [text] : (byLabel.get(text.toLowerCase())?.map(({ value }) => value) ?? [])
}

/** A file has the same few choices in thousands of cells. */
const namesOf = memoize((choices: Choices) => ({
  values: new Set(choices.map(({ value }) => value)),
  byLabel: Map.groupBy(choices, ({ label }) => label.toLowerCase()),
}))
