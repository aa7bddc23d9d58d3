/** What a list in the page is searched, filtered and sorted by. */
export type Comparable = string | number | boolean | null

/** One condition on a column, as the address has it: `created_at.gte.2026-01-31` */
export interface Filter {
  readonly column: string
  readonly operator: Operator
  readonly value: string
}

/** What can be asked of a column, and how an answer is entered. */
export interface FilterKind {
  readonly input: 'text' | 'number' | 'day' | 'choice' | 'reference'
  readonly operators: readonly Operator[]
  /** Reads what was typed; null where it is no such value, and what is said then. */
  readonly check?: TypedCheck
  /** What can be chosen from. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The resource that a reference names. */
  readonly references?: string
}

export interface TypedCheck {
  parse(typed: string): string | null
  readonly wrong: string
}

const operators = ['has', 'eq', 'not', 'in', 'gte', 'lte', 'lt', 'empty', 'filled'] as const
export type Operator = (typeof operators)[number]

const words: Readonly<Record<Operator, string>> = {
  has: 'contains',
  eq: 'is',
  not: 'is not',
  in: 'is any of',
  gte: 'is at least',
  lte: 'is at most',
  lt: 'is below',
  empty: 'is empty',
  filled: 'is not empty',
}

const wordsOfDays: Partial<Record<Operator, string>> = { gte: 'from', lt: 'before' }

export const wordsOf = ({ input }: FilterKind, operator: Operator): string =>
  (input === 'day' ? wordsOfDays[operator] : undefined) ?? words[operator]

export const takesValue = (operator: Operator): boolean => operator !== 'empty' && operator !== 'filled'

export const textKind: FilterKind = { input: 'text', operators: ['has', 'eq'] }
export const numberKind = {
  input: 'number',
  operators: ['eq', 'not', 'gte', 'lte'],
  check: {
    parse: (typed: string) => numberOf(typed, /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i),
    wrong: 'Enter a number, such as 1,250.5.',
  },
} as const satisfies FilterKind
export const wholeNumberKind = {
  ...numberKind,
  check: {
    parse: (typed: string) => numberOf(typed, /^[+-]?\d{1,18}$/),
    wrong: 'Enter a whole number, such as 1,250.',
  },
} as const satisfies FilterKind
export const idKind: FilterKind = {
  input: 'text',
  operators: ['eq'],
  check: {
    parse: (typed) => matched(typed, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
    wrong: 'Enter the whole id, with all of its 36 characters.',
  },
}
export const dayKind: FilterKind = {
  input: 'day',
  operators: ['gte', 'lt'],
  check: { parse: (typed) => matched(typed, /^\d{4}-\d\d-\d\d$/), wrong: 'Enter a day up to the year 9999.' },
}

const matched = (typed: string, pattern: RegExp): string | null => (pattern.test(typed) ? typed : null)

/** `1,000,000` → `1000000`: what separates thousands, as in the table, is taken too. */
const numberOf = (typed: string, pattern: RegExp): string | null =>
  matched(/^[+-]?\d{1,3}([,\s'’]\d{3})+(\.\d*)?$/.test(typed) ? typed.replace(/[,\s'’]/g, '') : typed, pattern)

export const choiceKind = (choices: NonNullable<FilterKind['choices']>): FilterKind => ({
  input: 'choice',
  operators: ['eq'],
  choices,
})

/** The same where the value of a filter may be several of them. */
export const choicesKind: FilterKind = { input: 'choice', operators: ['eq', 'not', 'in'] }

/** `won`, `a,b` → `won,a%2Cb`: several values as that of one filter. */
export const joinValues = (values: readonly string[]): string =>
  values.map((value) => value.replace(/[%,]/g, encodeURIComponent)).join(',')

/** The other way round. */
export const splitValues = (text: string): readonly string[] =>
  text === '' ? [] : text.split(',').map((value) => value.replace(/%25|%2C/g, decodeURIComponent))

/** The same for a column that may have no value. */
export const orEmpty = (kind: FilterKind): FilterKind => ({
  ...kind,
  operators: [...kind.operators, 'empty', 'filled'],
})

/** `created_at.gte.2026-01-31` → a filter; what is none is one on a column that there is not. */
export function parseFilter(text: string): Filter {
  const [, column = '', operator = '', value = ''] = /^([^.]+)\.([a-z]+)(?:\.(.*))?$/s.exec(text) ?? []
  return isOperator(operator) ? { column, operator, value } : { column: text, operator: 'filled', value: '' }
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text)

export const filterText = ({ column, operator, value }: Filter): string =>
  takesValue(operator) ? `${column}.${operator}.${value}` : `${column}.${operator}`

/** Whether a value in the page is what a filter asks for. Days begin where the reader is. */
export function matches({ column, operator, value }: Filter, kind: FilterKind, found: Comparable): boolean {
  const { input } = kind
  if (operator === 'empty') return found === null || found === ''
  if (operator === 'not') return found === null || !matches({ column, operator: 'eq', value }, kind, found)
  if (found === null) return false
  if (operator === 'in') return splitValues(value).includes(String(found))
  if (operator === 'filled') return found !== ''
  if (operator === 'has') return String(found).toLowerCase().includes(value.toLowerCase())
  if (operator === 'eq' && input !== 'number') return String(found) === value
  const [one, other] = input === 'day' ? [Date.parse(String(found)), dayStart(value)] : [Number(found), Number(value)]
  return { eq: one === other, gte: one >= other, lte: one <= other, lt: one < other }[operator]
}

/** The first moment of a day where the reader is. */
export const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime()
