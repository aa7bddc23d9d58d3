import type { TakenOperator } from './operators.ts'

/** What can be made of the values of many rows. */
export const aggregates = ['sum', 'avg', 'count', 'max', 'min'] as const
export type Aggregate = (typeof aggregates)[number]

/** Types that a selected value can be cast to. */
export const castNames = ['text', 'uuid', 'timestamptz', 'timestamp', 'date', 'time', 'integer', 'bigint'] as const
export type CastName = (typeof castNames)[number]

/**
 * All that is known of one type of column: how its values are read, spelled, stored, compared and shown.
 * Values travel as text in one canonical spelling. In a piece of SQL, `$` stands for the value.
 */
export interface ColumnType {
  /** As PostgreSQL spells it in its messages. */
  readonly name: string
  readonly sqlite: {
    /** In `create table`. */
    readonly column: string
    /** What fits, and how it is done. */
    readonly casts: Readonly<Partial<Record<CastName, string>>>
  }
  readonly postgres: {
    readonly column: string
    /** In a cast. */
    readonly name: string
    /** The text of a value is what JSON has between quotes. */
    readonly isPlain: boolean
  }
  /** The type in words of JSON Schema, and a value to show. */
  readonly jsonSchema: { readonly type: string; readonly format?: string; readonly examples: readonly string[] }
  /** A condition to show: `operator.value`. */
  readonly filterExample: string
  readonly operators: readonly TakenOperator[]
  /** What fits, and the type of the result. */
  readonly aggregates: Readonly<Partial<Record<Aggregate, 'bigint' | 'same'>>>
  /** Values are moments, which can be shown in any time zone. */
  readonly isMoment: boolean
  /** Which of two values comes first: below 0, the one. */
  compare(one: string, other: string): number
  /** A stored value → JSON. */
  toJson(text: string): string
  /** Of the JSON of one value, at the most. */
  jsonBytesMax(rules: { readonly maxLength?: number }): number
  /** Any spelling that a client may send → the one spelling that is stored, or a failure. */
  parse(value: unknown, column: string): string
  /** The same for a value in a filter, which need not be one that could be stored. */
  parseOperand(text: string): string
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
