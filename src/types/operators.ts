/** What follows the operator's dot: a value, a list in brackets, one of the words of `is`, or a search text. */
type Operand = 'value' | 'list' | 'word' | 'search'

interface OperatorDefinition {
  /** PostgreSQL's symbol, in SQL and in messages. */
  readonly symbol: string
  readonly takes: Operand
  /** May carry `(any)` or `(all)` and a list of values. */
  readonly quantified?: true
  readonly meaning: string
  readonly work: OperatorWork
}

/** The work to compare one value, and the additional work for each character of the operand. */
interface OperatorWork {
  readonly each: number
  readonly letter: number
}

const plain: OperatorWork = { each: 1, letter: 0 }
const wildcards: OperatorWork = { each: 10, letter: 5 }
const wildcardsInAnyCase: OperatorWork = { each: 30, letter: 5 }
const search: OperatorWork = { each: 100, letter: 17 }
const ofLists: OperatorWork = { each: 100, letter: 1 }
/** A regular expression may need milliseconds for one value, so in the thread that serves requests it compares one value at most. */
const pattern: OperatorWork = { each: 60_000, letter: 0 }

const taken = {
  eq: { symbol: '=', takes: 'value', quantified: true, meaning: 'equals', work: plain },
  neq: { symbol: '<>', takes: 'value', meaning: 'differs from', work: plain },
  gt: { symbol: '>', takes: 'value', quantified: true, meaning: 'is greater than', work: plain },
  gte: { symbol: '>=', takes: 'value', quantified: true, meaning: 'is greater than or equal to', work: plain },
  lt: { symbol: '<', takes: 'value', quantified: true, meaning: 'is less than', work: plain },
  lte: { symbol: '<=', takes: 'value', quantified: true, meaning: 'is less than or equal to', work: plain },
  like: { symbol: '~~', takes: 'value', quantified: true, meaning: 'matches a pattern with * or %', work: wildcards },
  ilike: { symbol: '~~*', takes: 'value', quantified: true, meaning: 'like, ignoring case', work: wildcardsInAnyCase },
  match: { symbol: '~', takes: 'value', quantified: true, meaning: 'matches a regular expression', work: pattern },
  imatch: { symbol: '~*', takes: 'value', quantified: true, meaning: 'match, ignoring case', work: pattern },
  in: { symbol: '=', takes: 'list', meaning: 'is one of (a,b,c)', work: plain },
  is: { symbol: 'is', takes: 'word', meaning: 'is null or not_null', work: plain },
  isdistinct: { symbol: 'is distinct from', takes: 'value', meaning: 'differs from, nulls included', work: plain },
  fts: { symbol: '@@', takes: 'search', meaning: 'full-text search with &, | and !', work: search },
  plfts: { symbol: '@@', takes: 'search', meaning: 'full-text search for all words', work: search },
  phfts: { symbol: '@@', takes: 'search', meaning: 'full-text search for a phrase', work: search },
  wfts: { symbol: '@@', takes: 'search', meaning: 'full-text search as search engines take it', work: search },
  cs: { symbol: '@>', takes: 'value', meaning: 'contains all of {a,b}', work: ofLists },
  cd: { symbol: '<@', takes: 'value', meaning: 'has nothing beside {a,b}', work: ofLists },
  ov: { symbol: '&&', takes: 'value', meaning: 'has one of {a,b}', work: ofLists },
} as const satisfies Record<string, OperatorDefinition>

/** For ranges. Known only for a better error message, because no column type takes them. */
const untaken = {
  sl: { symbol: '<<', takes: 'value', meaning: 'is strictly left of', work: plain },
  sr: { symbol: '>>', takes: 'value', meaning: 'is strictly right of', work: plain },
  nxr: { symbol: '&<', takes: 'value', meaning: 'does not extend to the right of', work: plain },
  nxl: { symbol: '&>', takes: 'value', meaning: 'does not extend to the left of', work: plain },
  adj: { symbol: '-|-', takes: 'value', meaning: 'is adjacent to', work: plain },
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

/** Whether a value has to equal one of several: `in.(a,b)` or `eq(any).{a,b}`. */
export const equalsAny = (operator: OperatorName, quantifier: 'any' | 'all' | null): boolean =>
  operator === 'in' || (operator === 'eq' && quantifier === 'any')

/** One operator, typed with its optional members. */
export const operatorOf = (name: OperatorName): OperatorDefinition => operators[name]

export const isWords = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type IsWord = (typeof isWords)[number]
