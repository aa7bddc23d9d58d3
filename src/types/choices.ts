import { failure } from '../errors/index.ts'
import { type ColumnType, type Rules, shown } from './column-type.ts'
import { findChoice, isChoice } from './find-choice.ts'
import { parseListText, textList } from './text-list.ts'

const listForm = { kind: 'a list of choices', hint: 'Write choices with commas between them.' }

/** Several of the values that are rules of the column. */
export const choices: ColumnType<'string[]'> = {
  ...textList,
  jsonSchema: { type: 'array', items: { type: 'string' }, examples: [['urgent', 'roof']] },
  inFiles: { ...listForm, read: readList },
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

/** Longer than all choices of a column together, each in quotes. */
const cellMax = 20_000

/** `Steel, roof` or `{steel,roof}` → ['steel', 'roof']. A choice may have a comma itself. */
function readList(text: string, rules: Rules): string[] {
  const cell = text.trim()
  if (cell.length > cellMax) throw failure.cellUnreadable(shown(cell), listForm.kind, listForm.hint)
  const items = isChoice(cell, rules) ? [cell] : cell.startsWith('{') ? readBraces(cell) : cell.split(',')
  return items.map((item) => item.trim()).flatMap((item) => (item === '' ? [] : findChoice(item, rules)))
}

function readBraces(cell: string): string[] {
  try {
    return parseListText(cell)
  } catch {
    throw failure.cellUnreadable(shown(cell), listForm.kind, listForm.hint)
  }
}
