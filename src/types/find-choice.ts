import { failure } from '../errors/index.ts'
import { type Rules, shown } from './column-type.ts'

/** The value of a choice by its value or, in any case, by its label. A value counts before a label. */
export function findChoice(text: string, rules: Rules): string {
  const found = choicesBy(text, rules)
  const [first, another] = found
  if (first === undefined) throw failure.choiceUnknown(shown(text), rules.choices?.map(({ label }) => label) ?? [])
  if (another === undefined) return first.value
  const values = found.map(({ value }) => value)
  throw failure.choiceAmbiguous(shown(text), values)
}

export const isChoice = (text: string, rules: Rules): boolean => choicesBy(text, rules).length > 0

function choicesBy(text: string, { choices = [] }: Rules) {
  const exact = choices.filter(({ value }) => value === text)
  return exact.length > 0 ? exact : choices.filter(({ label }) => label.toLowerCase() === text.toLowerCase())
}
