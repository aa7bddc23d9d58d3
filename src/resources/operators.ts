import type { ColumnTypeName } from './column-types.ts'

/** What stands behind the operator's dot: a value, a list in brackets, one of the words of `is`, or a search text. */
type Operand = 'value' | 'list' | 'word' | 'search'

interface OperatorDefinition {
  /** As PostgreSQL writes it, in SQL and in its messages. */
  readonly symbol: string
  readonly takes: Operand
  readonly types: readonly ColumnTypeName[]
  /** May carry `(any)` or `(all)` and a list of values. */
  readonly quantified?: true
  readonly meaning: string
}

const every: readonly ColumnTypeName[] = ['uuid', 'text', 'timestamp']
const text: readonly ColumnTypeName[] = ['text']
const none: readonly ColumnTypeName[] = []

const operators = {
  eq: { symbol: '=', takes: 'value', types: every, quantified: true, meaning: 'equals' },
  neq: { symbol: '<>', takes: 'value', types: every, meaning: 'differs from' },
  gt: { symbol: '>', takes: 'value', types: every, quantified: true, meaning: 'is greater than' },
  gte: { symbol: '>=', takes: 'value', types: every, quantified: true, meaning: 'is greater than or equal to' },
  lt: { symbol: '<', takes: 'value', types: every, quantified: true, meaning: 'is less than' },
  lte: { symbol: '<=', takes: 'value', types: every, quantified: true, meaning: 'is less than or equal to' },
  like: { symbol: '~~', takes: 'value', types: text, quantified: true, meaning: 'matches a pattern with * or %' },
  ilike: { symbol: '~~*', takes: 'value', types: text, quantified: true, meaning: 'like, ignoring case' },
  match: { symbol: '~', takes: 'value', types: text, quantified: true, meaning: 'matches a regular expression' },
  imatch: { symbol: '~*', takes: 'value', types: text, quantified: true, meaning: 'match, ignoring case' },
  in: { symbol: '=', takes: 'list', types: every, meaning: 'is one of (a,b,c)' },
  is: { symbol: 'is', takes: 'word', types: every, meaning: 'is null or not_null' },
  isdistinct: { symbol: 'is distinct from', takes: 'value', types: every, meaning: 'differs from, nulls included' },
  fts: { symbol: '@@', takes: 'search', types: text, meaning: 'full-text search with &, | and !' },
  plfts: { symbol: '@@', takes: 'search', types: text, meaning: 'full-text search for all words' },
  phfts: { symbol: '@@', takes: 'search', types: text, meaning: 'full-text search for a phrase' },
  wfts: { symbol: '@@', takes: 'search', types: text, meaning: 'full-text search as search engines take it' },
  // The dialect's operators for arrays and ranges: known, so that the failure can say that no column here takes them.
  cs: { symbol: '@>', takes: 'value', types: none, meaning: 'contains' },
  cd: { symbol: '<@', takes: 'value', types: none, meaning: 'is contained in' },
  ov: { symbol: '&&', takes: 'value', types: none, meaning: 'overlaps' },
  sl: { symbol: '<<', takes: 'value', types: none, meaning: 'is strictly left of' },
  sr: { symbol: '>>', takes: 'value', types: none, meaning: 'is strictly right of' },
  nxr: { symbol: '&<', takes: 'value', types: none, meaning: 'does not extend to the right of' },
  nxl: { symbol: '&>', takes: 'value', types: none, meaning: 'does not extend to the left of' },
  adj: { symbol: '-|-', takes: 'value', types: none, meaning: 'is adjacent to' },
} as const satisfies Record<string, OperatorDefinition>

export type OperatorName = keyof typeof operators
export const operatorNames = Object.keys(operators) as OperatorName[]

/** The row of one operator with every member, whether its entry has it or not. */
export const operatorOf = (name: OperatorName): OperatorDefinition => operators[name]

export const isWords = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type IsWord = (typeof isWords)[number]
