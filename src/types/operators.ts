/** What follows the operator's dot: a value, a list in brackets, one of the words of `is`, or a search text. */
type Operand = 'value' | 'list' | 'word' | 'search'

interface OperatorDefinition {
  /** PostgreSQL's symbol, in SQL and in messages. */
  readonly symbol: string
  readonly takes: Operand
  /** May carry `(any)` or `(all)` and a list of values. */
  readonly quantified?: true
  readonly meaning: string
}

const taken = {
  eq: { symbol: '=', takes: 'value', quantified: true, meaning: 'equals' },
  neq: { symbol: '<>', takes: 'value', meaning: 'differs from' },
  gt: { symbol: '>', takes: 'value', quantified: true, meaning: 'is greater than' },
  gte: { symbol: '>=', takes: 'value', quantified: true, meaning: 'is greater than or equal to' },
  lt: { symbol: '<', takes: 'value', quantified: true, meaning: 'is less than' },
  lte: { symbol: '<=', takes: 'value', quantified: true, meaning: 'is less than or equal to' },
  like: { symbol: '~~', takes: 'value', quantified: true, meaning: 'matches a pattern with * or %' },
  ilike: { symbol: '~~*', takes: 'value', quantified: true, meaning: 'like, ignoring case' },
  match: { symbol: '~', takes: 'value', quantified: true, meaning: 'matches a regular expression' },
  imatch: { symbol: '~*', takes: 'value', quantified: true, meaning: 'match, ignoring case' },
  in: { symbol: '=', takes: 'list', meaning: 'is one of (a,b,c)' },
  is: { symbol: 'is', takes: 'word', meaning: 'is null or not_null' },
  isdistinct: { symbol: 'is distinct from', takes: 'value', meaning: 'differs from, nulls included' },
  fts: { symbol: '@@', takes: 'search', meaning: 'full-text search with &, | and !' },
  plfts: { symbol: '@@', takes: 'search', meaning: 'full-text search for all words' },
  phfts: { symbol: '@@', takes: 'search', meaning: 'full-text search for a phrase' },
  wfts: { symbol: '@@', takes: 'search', meaning: 'full-text search as search engines take it' },
  cs: { symbol: '@>', takes: 'value', meaning: 'contains all of {a,b}' },
  cd: { symbol: '<@', takes: 'value', meaning: 'has nothing beside {a,b}' },
  ov: { symbol: '&&', takes: 'value', meaning: 'has one of {a,b}' },
} as const satisfies Record<string, OperatorDefinition>

/** For ranges. Known only for a better error message, because no column type takes them. */
const untaken = {
  sl: { symbol: '<<', takes: 'value', meaning: 'is strictly left of' },
  sr: { symbol: '>>', takes: 'value', meaning: 'is strictly right of' },
  nxr: { symbol: '&<', takes: 'value', meaning: 'does not extend to the right of' },
  nxl: { symbol: '&>', takes: 'value', meaning: 'does not extend to the left of' },
  adj: { symbol: '-|-', takes: 'value', meaning: 'is adjacent to' },
} as const satisfies Record<string, OperatorDefinition>

const operators = { ...taken, ...untaken }

/** Operators that at least one column type takes. */
export type TakenOperator = keyof typeof taken
export type OperatorName = keyof typeof operators
export const operatorNames = Object.keys(operators) as OperatorName[]

/** For every type whose values have an order. */
export const orderOperators: readonly TakenOperator[] = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'is',
  'isdistinct',
]
/** For texts. */
export const textOperators: readonly TakenOperator[] = [
  'like',
  'ilike',
  'match',
  'imatch',
  'fts',
  'plfts',
  'phfts',
  'wfts',
]

/** For lists. */
export type ListOperator = 'cs' | 'cd' | 'ov'

/** One operator, typed with its optional members. */
export const operatorOf = (name: OperatorName): OperatorDefinition => operators[name]

export const isWords = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type IsWord = (typeof isWords)[number]
