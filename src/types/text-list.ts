import { failure } from '../errors/index.ts'
import { counted } from './aggregate-results.ts'
import { asItIs, type ColumnType, compareAscii, nullWords, shown } from './column-type.ts'
import type { ListOperator, TakenOperator } from './operators.ts'

const itemsDefault = 100
const itemLengthDefault = 1000
/** The maximum JSON of one character, and the quotes and the comma of an item. */
const [characterBytesMax, itemBytes] = [6, 3]

/** Null for null, not an empty list. */
const fromJson =
  '(select array(select json_array_elements_text(list)) from (select $::text::json as list) as given where list is not null)'

/** An ordered list of texts, as PostgreSQL's `text[]`. Its canonical text is a JSON array. */
export const textList: ColumnType<'string[]'> = {
  name: 'text[]',
  castsTo: ['text', 'char'],
  sqlite: {
    column: 'text',
    toText: '$',
    toJson: 'json($)',
    casts: { text: 'list_text($)', char: 'substr(list_text($), 1, 1)' },
  },
  postgres: {
    column: 'text[] collate "C"',
    fromText: fromJson,
    fromOperand: fromJson,
    listOf: null,
    toText: 'to_json($)::text',
    toShown: '$',
    isPlain: false,
  },
  isExact: false,
  jsonSchema: { type: 'array', items: { type: 'string' }, examples: [['urgent', 'roof']] },
  typescript: 'string[]',
  filterExample: 'cs.{urgent}',
  operators: ['eq', 'neq', 'isdistinct', 'is', 'cs', 'cd', 'ov'] satisfies TakenOperator[],
  isNeverQuantified: true,
  isWords: nullWords,
  isOrdered: false,
  aggregates: { count: counted },
  isMoment: false,
  compare: compareAscii,
  toJson: asItIs,
  toCsv: (value) => (Array.isArray(value) ? listText(value.map(String)) : String(value)),
  jsonBytesMax: ({ maxItems = itemsDefault, maxLength = itemLengthDefault }) =>
    2 + maxItems * (maxLength * characterBytesMax + itemBytes),
  parse: (value, column) => {
    const items = typeof value === 'string' ? parseListText(value) : value
    if (!Array.isArray(items) || !items.every((item) => typeof item === 'string'))
      throw invalid(value, `Send "${column}" as a JSON array of strings.`)
    if (items.some((item) => item.includes('\0') || !item.isWellFormed())) throw failure.textImpossible(column)
    return JSON.stringify(items)
  },
  parseOperand: (operand) => JSON.stringify(parseListText(operand)),
  inFiles: { kind: 'a list', hint: 'Write a list as {a,b}, and an element with a comma in double quotes.' },
  brokenRule: (text, { maxItems = itemsDefault, maxLength = itemLengthDefault }) => {
    const items: string[] = JSON.parse(text)
    const isBroken = items.length > maxItems || items.some((item) => [...item].length > maxLength)
    return isBroken ? `at most ${maxItems} elements of at most ${maxLength} characters` : null
  },
  withRules: ({ namesOnly }) => (namesOnly ? nameList : textList),
}

/** Of names, the JSON is PostgreSQL's own form but for the brackets. Citus takes no subselect in an insert. */
const nameList: ColumnType<'string[]'> = {
  ...textList,
  postgres: { ...textList.postgres, fromText: "translate($::text, '[]', '{}')::text[]" },
}

/** Set comparisons of two lists. */
export const listComparisons: Record<ListOperator, (value: string, operand: string) => boolean> = {
  cs: (value, operand) => has(value, operand),
  cd: (value, operand) => has(operand, value),
  ov: (value, operand) => {
    const items = itemsOf(value)
    return itemsOf(operand).some((item) => items.includes(item))
  },
}

const itemsOf = (list: string): string[] => JSON.parse(list)

const has = (all: string, some: string): boolean => {
  const items = new Set(itemsOf(all))
  return itemsOf(some).every((item) => items.has(item))
}

/** `["a","b c"]` → `{a,"b c"}`, as PostgreSQL writes it. */
export const listText = (items: readonly string[]): string => `{${items.map(itemText).join(',')}}`

const itemText = (item: string): string =>
  item === '' || /["\\{},\s]/.test(item) || /^null$/i.test(item) ? `"${item.replace(/["\\]/g, '\\$&')}"` : item

/** `{a,"b c"}` → ['a', 'b c'], in linear time. */
export function parseListText(text: string): string[] {
  const inner = text.trim()
  if (!inner.startsWith('{') || !inner.endsWith('}')) throw invalid(text, 'Write a list as {a,b}.')
  const items: string[] = []
  let at = afterBlanks(inner, 1)
  if (at === inner.length - 1) return items
  for (;;) {
    const item = inner[at] === '"' ? quotedItem(inner, at) : plainItem(inner, at)
    at = afterBlanks(inner, item?.end ?? inner.length)
    const isLast = at === inner.length - 1
    if (!item || (!isLast && inner[at] !== ','))
      throw invalid(text, 'Write a list as {a,b}, and an element with a comma, a brace or a quote in double quotes.')
    items.push(item.text)
    if (isLast) return items
    at = afterBlanks(inner, at + 1)
  }
}

function afterBlanks(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at += 1
  return at
}

interface Item {
  readonly text: string
  readonly end: number
}

function quotedItem(list: string, start: number): Item | null {
  let text = ''
  for (let at = start + 1; at < list.length - 1; at += 1) {
    if (list[at] === '"') return { text, end: at + 1 }
    if (list[at] === '\\') at += 1
    text += list[at]
  }
  return null
}

function plainItem(list: string, start: number): Item | null {
  let at = start
  let text = ''
  for (; at < list.length - 1 && list[at] !== ','; at += 1) {
    if (list[at] === '"' || list[at] === '{' || list[at] === '}') return null
    if (list[at] === '\\') at += 1
    text += list[at]
  }
  const trimmed = text.trimEnd()
  // An unquoted NULL is a null element, which these lists do not allow.
  return trimmed === '' || /^null$/i.test(trimmed) ? null : { text: trimmed, end: at }
}

const invalid = (value: unknown, hint: string): Error =>
  typeof value === 'string'
    ? failure.listInvalid(shown(value), hint)
    : failure.valueInvalid('text[]', shown(value), hint)
