import type { ReactNode } from 'react'
import type { Column, Resource, Row } from '../api-types.ts'
import type { Filter, FilterKind } from '../table/filter.ts'

/** How the values of a column are shown, entered and sent. */
export interface ColumnView {
  /** What a first click on the header sorts by; null where an order would say nothing. */
  readonly firstOrder: 'asc' | 'desc' | null
  /** Whether the search looks into it. */
  readonly isSearched: boolean
  /** Whether its values can be long: in a table, such columns share the room that the others leave. */
  readonly isWide: boolean
  /** Whether a table has it only for those who choose it. */
  readonly isExtra: boolean
  /** Whether it names things for programs: people read the others first. */
  readonly isId: boolean
  /** What can be asked of the column; null where nothing can. */
  readonly filter: FilterKind | null
  /** The same in the dialect of the API: `gte.2026-01-31` */
  condition(filter: Filter): string
  readonly Cell: (props: CellProps) => ReactNode
  readonly Field: (props: FieldProps) => ReactNode
  /** What an empty field stands for in a column that must have a value; null where it has to be filled in. */
  readonly empty: unknown
  /** A value of the API, which is not null → what the field has in it. */
  toEntered(value: unknown): Entered
  /** The other way round, for a field that is not empty. */
  toValue(entered: Entered): unknown
}

export interface CellProps {
  readonly column: Column
  readonly row: Row
  /** Whether there is room for one line, as in a table, and not for all of the value. */
  readonly isLine?: boolean
}

/** What a field has in it: a text, or those of a list. It is empty where there is no value. */
export type Entered = string | readonly string[]

export interface FieldProps {
  readonly column: Column
  /** The row as it is stored; null for a new one. */
  readonly row?: Row | null
  readonly entered: Entered
  readonly enter: (entered: Entered) => void
  /** Opens the dialog for a new row of another resource, and tells it once it is there. */
  readonly createOther: (resource: Resource, created: (row: Row) => void) => void
  /** What every kind of field is given. */
  readonly input: {
    readonly label: string
    readonly description: string
    readonly required: boolean
    readonly withAsterisk: false
    readonly error?: string
    readonly 'data-autofocus'?: true
  }
}
