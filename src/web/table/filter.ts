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
  /** What can be chosen from. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The resource that a reference names. */
  readonly references?: string
}

const operators = ['has', 'eq', 'gte', 'lte', 'lt', 'empty', 'filled'] as const
export type Operator = (typeof operators)[number]

const words: Readonly<Record<Operator, string>> = {
  has: 'contains',
  eq: 'is',
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
export const numberKind: FilterKind = { input: 'number', operators: ['eq', 'gte', 'lte'] }
export const dayKind: FilterKind = { input: 'day', operators: ['gte', 'lt'] }

export const choiceKind = (choices: NonNullable<FilterKind['choices']>): FilterKind => ({
  input: 'choice',
  operators: ['eq'],
  choices,
})

/** The same for a column that may have no value. */
export const orEmpty = (kind: FilterKind): FilterKind => ({
  ...kind,
  operators: [...kind.operators, 'empty', 'filled'],
})

/** `created_at.gte.2026-01-31` → a filter; null where it is none. */
export function parseFilter(text: string): Filter | null {
  const [, column = '', operator = '', value = ''] = /^([^.]+)\.([a-z]+)(?:\.(.*))?$/s.exec(text) ?? []
  return isOperator(operator) ? { column, operator, value } : null
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text)

export const filterText = ({ column, operator, value }: Filter): string =>
  takesValue(operator) ? `${column}.${operator}.${value}` : `${column}.${operator}`

/** Whether a value in the page is what a filter asks for. Days begin where the reader is. */
export function matches({ operator, value }: Filter, { input }: FilterKind, found: Comparable): boolean {
  if (operator === 'empty') return found === null || found === ''
  if (found === null) return false
  if (operator === 'filled') return found !== ''
  if (operator === 'has') return String(found).toLowerCase().includes(value.toLowerCase())
  if (operator === 'eq' && input !== 'number') return String(found) === value
  const [one, other] = input === 'day' ? [Date.parse(String(found)), dayStart(value)] : [Number(found), Number(value)]
  return { eq: one === other, gte: one >= other, lte: one <= other, lt: one < other }[operator]
}

/** The first moment of a day where the reader is. */
export const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime()
