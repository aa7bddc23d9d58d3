import type { IsWord, TakenOperator } from './operators.ts'

/** The aggregate functions. */
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
  'timetz',
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'char',
  'json',
  'text[]',
] as const
export type CastName = (typeof castNames)[number]

/** Some casts, each with its SQL. */
export type Casts = Readonly<Partial<Record<CastName, string>>>

/** The type of a returned value: of a column, or of an aggregate. In a piece of SQL, `$` stands for the value. */
export interface ShownType {
  /** As PostgreSQL spells it in its messages. */
  readonly name: string
  /** What it can be cast to, on every engine. */
  readonly castsTo: readonly CastName[]
  readonly sqlite: {
    /** A value → its JSON in an object. */
    readonly toJson: string
    /** All of `castsTo`, each with its SQL. */
    readonly casts: Casts
    /** Those that depend on the time zone. `@` stands for the time zone: see zoned-cast.ts. */
    readonly zonedCasts?: Casts
    /** Key to group and sort by, if the stored form does not compare like the value. */
    readonly sortKey?: string
  }
  readonly postgres: {
    /** Those that are more than the cast of that name. */
    readonly casts?: Casts
    /** As in `sqlite`, where the plain cast is not enough. */
    readonly zonedCasts?: Casts
    /** A stored value → the value that clients see. */
    readonly toShown: string
    /** Its text needs no escaping in a JSON string. */
    readonly isPlain: boolean
  }
  /** `JSON.parse` would lose digits of it. */
  readonly isExact: boolean
}

/** The result type of an aggregate, and its SQL if it is not the function of the same name. */
export interface AggregateRule {
  readonly result: ShownType | 'same'
  readonly sqlite?: string
  readonly postgres?: string
}

/** The TypeScript type of a value's JSON. */
type TypeScriptName =
  | 'string'
  | 'number'
  | 'boolean'
  | 'string[]'
  | 'Record<string, unknown>'
  | 'Record<string, unknown>[]'
  | 'unknown'

type Example = string | number | boolean | JsonObject | readonly (string | JsonObject)[]
type JsonObject = Readonly<Record<string, string>>

/** One of the values of a choice. */
interface Choice {
  readonly value: string
  readonly label: string
  readonly color: string
  /** Rows that have the value keep it; no other row gets it. */
  readonly isClosed: boolean
}

/** Constraints of a column in addition to its type. */
export interface Rules {
  readonly minLength?: number
  readonly maxLength?: number
  /** Elements of a list. */
  readonly minItems?: number
  readonly maxItems?: number
  /** Elements of a list are names: letters, digits and underscores. */
  readonly namesOnly?: true
  /** The least and the greatest value, as they are stored. */
  readonly minimum?: string
  readonly maximum?: string
  /** The values that there are to choose from. */
  readonly choices?: readonly Choice[]
  /** Digits after the decimal point. */
  readonly scale?: number
}

/** How people write a value into a cell. */
interface CellForm {
  /** What a text that cannot be read is not: "a whole number". */
  readonly kind: string
  /** How to write one. */
  readonly hint: string
  /** What people may write beside what `parse` takes → what it takes, or a failure. */
  read?(text: string, rules: Rules): string | readonly string[]
}

/**
 * Everything about one column type: how its values are parsed, stored, compared and shown.
 * Between the stages, a value is a text in its canonical form, which both engines can read.
 */
export interface ColumnType<Spelled extends TypeScriptName = TypeScriptName> extends ShownType {
  readonly sqlite: ShownType['sqlite'] & {
    /** In `create table`. */
    readonly column: string
    /** A stored value → its canonical text. */
    readonly toText: string
    /** A company's fields (`$`), as JSON, and the name of one (`@`) → its value, where that is not just `$ ->> @`. */
    readonly fromFields?: string
  }
  readonly postgres: ShownType['postgres'] & {
    readonly column: string
    /** The canonical text of a value → the value, to be stored. */
    readonly fromText: string
    /** The same for an operand of a comparison, which may be a value that cannot be stored. */
    readonly fromOperand: string
    /** The element type of a list of operands; null for a type that is never quantified. */
    readonly listOf: string | null
    readonly toText: string
    /** As in `sqlite`, where it is not just what `fromText` makes of `$ ->> @`. */
    readonly fromFields?: string
  }
  /** The type in JSON Schema, with an example. */
  readonly jsonSchema: {
    readonly type: string | readonly string[]
    readonly format?: string
    readonly items?: { readonly type: string }
    readonly examples: readonly Example[]
  }
  readonly typescript: Spelled
  /** For the docs: `operator.value`. */
  readonly filterExample: string
  readonly operators: readonly TakenOperator[]
  /** None of its operators takes `(any)` or `(all)`. */
  readonly isNeverQuantified?: true
  /** The operands of `is`. */
  readonly isWords: readonly IsWord[]
  /** Rows can be sorted by it. */
  readonly isOrdered: boolean
  /** Rows cannot be grouped by it: its values are neither equal nor different. */
  readonly lacksEquality?: true
  readonly aggregates: Readonly<Partial<Record<Aggregate, AggregateRule>>>
  /** Values are points in time, which can be shown in any time zone. */
  readonly isMoment: boolean
  /** As for `Array.sort`. */
  compare(one: string, other: string): number
  /** A stored value → JSON. */
  toJson(text: string): string
  /** A parsed JSON value → the text that PostgreSQL writes in CSV. */
  toCsv(value: unknown): string
  /** The maximum size of a value's JSON. */
  jsonBytesMax(rules: Rules): number
  /** Any JSON value that is not a string is taken as it was written: 12 is `12`. */
  readonly takesJsonText?: true
  /** A value as a client sends it → its canonical text, or a failure. A time without an offset is one in the zone. */
  parse(value: unknown, column: string, zone?: string): string
  /** The same for a value in a filter, which may be one that cannot be stored. */
  parseOperand(text: string, zone?: string): string
  /** Whether an operand means another value whenever it is parsed, as `now` does. */
  isRelative?(operand: string): boolean
  /** The rule that a value breaks, in words. */
  brokenRule?(text: string, rules: Rules): string | null
  /** For people who write values into the cells of a file. */
  readonly inFiles: CellForm
  /** A value or an operand → a text that sorts like it, for an index. A type without it cannot be indexed. */
  indexKey?(text: string): string
  /** For a type that depends on the rules of its column. */
  withRules?(rules: Rules): ColumnType<Spelled>
}

/** A value for an error message, shortened. Objects are not serialized: a deeply nested one could take seconds. */
export function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}'
  const text = JSON.stringify(value) ?? ''
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}

/** For texts of ASCII characters only. */
export const compareAscii = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The JSON of a text that needs no escaping. */
export const inQuotes = (text: string): string => `"${text}"`

/** A stored value is its own JSON. */
export const asItIs = (text: string): string => text

/** For types whose JSON value is a text or a number. */
export const plainCsv = (value: unknown): string => String(value)

/** The operands of `is` for values that are not boolean. */
export const nullWords: readonly IsWord[] = ['null', 'not_null']

/** The PostgreSQL part of a type that is read from text and written as text by casts. */
export const readAs = (name: string) =>
  ({
    fromText: `$::${name}`,
    fromOperand: `$::${name}`,
    listOf: name,
    toText: '$::text',
    toShown: '$',
    isPlain: false,
  }) as const
