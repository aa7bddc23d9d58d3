import type { ColumnType, Rules } from './column-type.ts'
import { textList } from './text-list.ts'

/** Several of the values that are rules of the column. */
export const choices: ColumnType<'string[]'> = {
  ...textList,
  jsonSchema: { type: 'array', items: { type: 'string' }, examples: [['urgent', 'roof']] },
  brokenRule: (text, rules) => {
    const items: string[] = JSON.parse(text)
    return brokenValues(items, rules) ?? brokenCount(items, rules)
  },
  // A list of texts has other types by its rules.
  withRules: () => choices,
}

function brokenValues(items: readonly string[], { choices: known = [] }: Rules): string | null {
  const isKnown = (item: string) => known.some(({ value }) => value === item)
  if (new Set(items).size === items.length && items.every(isKnown)) return null
  return `each of its values once, out of ${known.map(({ value }) => value).join(', ')}`
}

function brokenCount({ length }: readonly string[], { minItems = 0, maxItems }: Rules): string | null {
  if (length < minItems) return `at least ${minItems} values`
  return maxItems !== undefined && length > maxItems ? `at most ${maxItems} values` : null
}
