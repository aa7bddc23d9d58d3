import type { Resource } from '../resources/define.ts'

/** Rows that are written all or not at all. */
export const partRowsMax = 500

/** Some rows of a file. */
export interface ImportPart {
  readonly resource: Resource
  /** The column of each cell; null where a cell is left out. */
  readonly columns: readonly (string | null)[]
  readonly rows: readonly ImportedRow[]
}

export interface ImportedRow {
  /** Its number in the file, as a spreadsheet shows it: the line of names is 1. */
  readonly row: number
  readonly cells: readonly string[]
}

export interface BadRow extends ImportedRow {
  readonly problems: readonly Problem[]
}

/** What is wrong with a row, for people. */
export interface Problem {
  readonly code: string
  /** After the label of the column, where it is about one. */
  readonly message: string
  readonly hint: string | null
}

/** `Priority: "urgent" is none of Low, High.` */
export const problemsText = ({ problems }: BadRow): string =>
  problems.map(({ message, hint }) => (hint === null ? `${message}.` : `${message}. ${hint}`)).join(' ')
