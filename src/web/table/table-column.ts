import type { ReactNode } from 'react'
import type { Comparable, FilterKind } from './filter.ts'

/** A column of any table: how its cells look, and what can be done with it. */
export interface TableColumn<Row> {
  /** Its name in the address. */
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** What a first click on the header sorts by, where it can be sorted. */
  readonly firstOrder?: Direction | undefined
  readonly filter?: FilterKind | undefined
  /** What a list that is all in the page is searched, filtered and sorted by. */
  readonly value?: (row: Row) => Comparable
  /** Whether a row is what a filter with this value asks for, where the value alone does not say so. */
  readonly fits?: (row: Row, wanted: string) => boolean
  /** Whether a search in the page looks into it. */
  readonly isSearched?: true
  /** Where it is given, only a text that matches it is searched for in this column. */
  readonly searchedFor?: RegExp
  /** Not shown until somebody chooses it. */
  readonly isExtra?: boolean
  /** Takes the room that the others leave, and cuts what does not fit. */
  readonly isWide?: boolean
  /** Whether the cell of a name is a link of its own, instead of opening the row beside the table. */
  readonly isLink?: true
  /** The first to go where columns get tight. */
  readonly isSpare?: true
}

export type Direction = 'asc' | 'desc'
