// The page in the browser imports the types of this file: it must not lead to the runtime.

/** The types that a company's own field can have. */
export const fieldTypes = [
  'text',
  'integer',
  'decimal',
  'number',
  'boolean',
  'date',
  'timestamp',
  'choice',
  'choices',
  'url',
  'email',
] as const
export type FieldType = (typeof fieldTypes)[number]

export const colors = [
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as const

/** Of one field. */
export const choicesMax = 100
/** For each company and resource. */
export const fieldsMax = 64
/** With those that are archived. */
export const keptMax = 128
/** Of the JSON of one row, if every value is as long as it may be: 32,768 characters, each written as `\u0000`. A write reads and writes all of it. */
export const rowBytesMax = 196_608
/** The same with the values of archived fields. */
export const keptBytesMax = 2 * rowBytesMax
export const indexedMax = 8
/** Of all fields of a resource together: a write compares the states of a row with them. */
export const transitionsMax = 2000

/** A field is this, as it is sent, stored and shown: JSON, by the names of the columns of `field`. */
export interface FieldDocument {
  readonly id: string
  readonly resource: string
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: FieldType
  readonly position: number
  /** A row that is written must have a value. */
  readonly required: boolean
  /** What a new row has where nothing is sent; null for none. */
  readonly default_value: unknown
  readonly rules: FieldRules
  readonly choices: readonly FieldChoice[] | null
  /** The value that a new row has, of a choice with states. */
  readonly initial: string | null
  /** Whether a new row may have another value than the initial one. */
  readonly start: 'initial' | 'any'
  /** The values that may follow each value; null where every value may follow every other one. */
  readonly transitions: Transitions | null
  readonly indexed: boolean
  /** When the index was complete. */
  readonly indexed_at: string | null
  readonly archived_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export type Transitions = Readonly<Record<string, readonly string[]>>

export interface FieldRules {
  /** Characters of a text. */
  readonly min_length?: number
  readonly max_length?: number
  /** The range of a number, a date or a time. */
  readonly minimum?: number | string
  readonly maximum?: number | string
  /** How many of several choices. */
  readonly min_choices?: number
  readonly max_choices?: number
  /** Digits after the decimal point. */
  readonly scale?: number
}

export interface FieldChoice {
  readonly value: string
  readonly label: string
  readonly color: (typeof colors)[number]
  /** Only rows that have the value keep it. */
  readonly closed: boolean
}

/** The parts that the owner of a field decides. */
export type Definition = Omit<
  FieldDocument,
  'id' | 'position' | 'indexed_at' | 'archived_at' | 'created_at' | 'updated_at'
>

/** Names one field. The company is part of it, so that nobody reaches a field of another company. */
export interface FieldRef {
  readonly companyId: string
  readonly id: string
}
