import type { IsWord, TakenOperator } from './operators.ts'

/** What can be made of the values of many rows. */
export const aggregates = ['sum', 'avg', 'count', 'max', 'min'] as const
export type Aggregate = (typeof aggregates)[number]

/** Types that a selected value can be cast to. */
export const castNames = [
  'text',
  'uuid',
  'timestamptz',
  'timestamp',
  'date',
  'time',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'text[]',
] as const
export type CastName = (typeof castNames)[number]

/** What a value is that is shown: of a column, or made by an aggregate. In a piece of SQL, `$` stands for the value. */
export interface ShownType {
  /** As PostgreSQL spells it in its messages. */
  readonly name: string
  readonly sqlite: {
    /** A value → what stands in a JSON object. */
    readonly toJson: string
    /** What fits, and how it is done. */
    readonly casts: Readonly<Partial<Record<CastName, string>>>
  }
  readonly postgres: {
    /** A value → the same as clients know it. */
    readonly toShown: string
    /** The text of a value is what JSON has between quotes. */
    readonly isPlain: boolean
  }
  /** Its JSON has digits that are lost where it is parsed. */
  readonly isExact: boolean
}

/** What an aggregate gives; its SQL where it is not the function of the same name. */
export interface AggregateRule {
  readonly result: ShownType | 'same'
  readonly sqlite?: string
  readonly postgres?: string
}

/** How TypeScript calls what JSON makes of values. */
type TypeScriptName = 'string' | 'number' | 'boolean' | 'string[]'

/** What a column may ask of its values, beside their type. */
export interface Rules {
  readonly minLength?: number
  readonly maxLength?: number
  /** Elements of a list. */
  readonly maxItems?: number
  /** Digits behind the point. */
  readonly scale?: number
}

/**
 * All that is known of one type of column: how its values are read, spelled, stored, compared and shown.
 * Values travel as text in one canonical spelling, which is what both engines are given.
 */
export interface ColumnType<Spelled extends TypeScriptName = TypeScriptName> extends ShownType {
  readonly sqlite: ShownType['sqlite'] & {
    /** In `create table`. */
    readonly column: string
    /** A stored value → its canonical text. */
    readonly toText: string
  }
  readonly postgres: ShownType['postgres'] & {
    readonly column: string
    /** The canonical text of a value → the value, to be stored. */
    readonly fromText: string
    /** The same, to be compared with: an operand need not be a value that could be stored. */
    readonly fromOperand: string
    /** The type of a list of such operands. null: there are none. */
    readonly listOf: string | null
    readonly toText: string
  }
  /** The type in words of JSON Schema, and a value to show. */
  readonly jsonSchema: {
    readonly type: string
    readonly format?: string
    readonly items?: { readonly type: string }
    readonly examples: readonly (string | number | boolean | readonly string[])[]
  }
  readonly typescript: Spelled
  /** A condition to show: `operator.value`. */
  readonly filterExample: string
  readonly operators: readonly TakenOperator[]
  /** What `is` can ask of a value. */
  readonly isWords: readonly IsWord[]
  /** Rows can be put in order by it. */
  readonly isOrdered: boolean
  readonly aggregates: Readonly<Partial<Record<Aggregate, AggregateRule>>>
  /** Values are moments, which can be shown in any time zone. */
  readonly isMoment: boolean
  /** Which of two values comes first: below 0, the one. */
  compare(one: string, other: string): number
  /** A stored value → JSON. */
  toJson(text: string): string
  /** JSON of one value, as it was parsed → as PostgreSQL writes it in CSV. */
  toCsv(value: unknown): string
  /** Of the JSON of one value, at the most. */
  jsonBytesMax(rules: Rules): number
  /** Any spelling that a client may send → the one spelling that is stored, or a failure. */
  parse(value: unknown, column: string): string
  /** The same for a value in a filter, which need not be one that could be stored. */
  parseOperand(text: string): string
  /** What a column wants of its values and this one is not, in words. */
  brokenRule?(text: string, rules: Rules): string | null
  /** Where the rules of a column make it a type of its own. */
  withRules?(rules: Rules): ColumnType<Spelled>
}

/** A value as it was sent, if it is short. What is nested may be deep enough to take seconds. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}'
  const text = JSON.stringify(value) ?? ''
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}

/** The order of texts whose signs are all ASCII. */
export const compareSigns = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** JSON of a text in which nothing has to be escaped. */
export const inQuotes = (text: string): string => `"${text}"`

/** A stored value is its own JSON. */
export const asItIs = (text: string): string => text

/** Most values are texts or numbers, and stand in CSV as they are. */
export const plainCsv = (value: unknown): string => String(value)

/** What `is` can ask of values that are not boolean. */
export const nullWords: readonly IsWord[] = ['null', 'not_null']

/** The part of PostgreSQL in a type whose values it reads from text and writes as text. */
export const readAs = (name: string) =>
  ({
    fromText: `$::${name}`,
    fromOperand: `$::${name}`,
    listOf: name,
    toText: '$::text',
    toShown: '$',
    isPlain: false,
  }) as const
