import type { FieldDocument, Transitions } from '../../fields/field.ts'

export type { FieldChoice, FieldRules, FieldType, Transitions } from '../../fields/field.ts'
export type { ChangeKind } from '../../store/events/change-kinds.ts'

/** The start of a file that is to be imported. */
export interface ImportPreview {
  readonly delimiter: string
  readonly header: readonly string[]
  /** The column of each name in the header; null where none fits. */
  readonly columns: readonly (string | null)[]
  readonly rows: readonly (readonly string[])[]
  /** All columns that a file can have values for. */
  readonly choices: readonly { readonly name: string; readonly label: string; readonly needed: boolean }[]
}

/** A row of a file that cannot be imported. */
export interface BadRow {
  /** Its number in the file, as a spreadsheet shows it: the line of names is 1. */
  readonly row: number
  readonly cells: readonly string[]
  /** All of them: at least one. */
  readonly problems: readonly { readonly code: string; readonly message: string; readonly hint: string | null }[]
}

/** What became of some rows of a file. They are written all or not at all. */
export interface ImportedPart {
  readonly rows: number
  readonly written: number
  readonly bad: readonly BadRow[]
}

export interface Column {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: string
  /** The resource whose rows it names. */
  readonly references: string | null
  readonly nullable: boolean
  readonly writable: boolean
  /** Whether a new row must be sent with a value for it. */
  readonly needed: boolean
  readonly default: unknown
  readonly max_length: number | null
  /** The values to choose from. */
  readonly choices: readonly Choice[] | null
  /** Of a choice with states. */
  readonly states: States | null
  /** Whether the company has added it. */
  readonly own: boolean
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly color: string
  /** Only rows that have the value keep it. */
  readonly closed: boolean
}

interface States {
  /** What a new row may have; null for any value. */
  readonly starts: readonly string[] | null
  /** What may follow each value; null where every value may. */
  readonly next: Transitions | null
}

/** A field that a company has added to a resource. */
export type Field = FieldDocument

/** How many rows have a value, by the id of the field. */
export type FieldValues = Readonly<Record<string, number>>

/** A kind of rows, as the service defines it. */
export interface Resource {
  readonly name: string
  /** "project" */
  readonly one: string
  /** "projects" */
  readonly many: string
  /** `/projects` */
  readonly path: string
  readonly description: string
  readonly primary_key: string
  /** The column by which people know a row. */
  readonly naming_column: string
  /** Its rows can be listed, but not created, changed or deleted. */
  readonly read_only: boolean
  /** Companies can add fields of their own to it. */
  readonly takes_fields: boolean
  readonly columns: readonly Column[]
}
