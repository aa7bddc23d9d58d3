import type { Column, Resource, Row } from '../api-types.ts'
import type { Entered } from '../columns/column-view.ts'
import { viewOf } from '../columns/column-views.tsx'

/** What is in the fields of a form, by column. */
export type Form = Readonly<Record<string, Entered>>

/** The columns that people fill in, the name first: not what the service does by itself. */
export const enteredColumns = ({ columns, primary_key, naming_column }: Resource): readonly Column[] =>
  columns
    .filter(({ name, writable, needed }) => writable && (needed || name !== primary_key))
    .toSorted((one, other) => Number(other.name === naming_column) - Number(one.name === naming_column))

/** The form for a row, or for a new one with what it has from the beginning. */
export const enteredOf = (columns: readonly Column[], row: Row): Form =>
  Object.fromEntries(
    columns.map((column) => {
      const value = column.name in row ? row[column.name] : column.default
      return [column.name, value === null || value === undefined ? '' : viewOf(column).toEntered(value)]
    }),
  )

/** What to send: of a new row what was filled in, of another what was changed, so that nothing else is touched. */
export function bodyOf(columns: readonly Column[], form: Form, before: Form | null): Row {
  const fields = columns.map((column) => {
    const { name, nullable, needed } = column
    const { toValue, empty } = viewOf(column)
    const entered = form[name] ?? ''
    const isEmpty = entered.length === 0
    const isSent = before ? entered !== before[name] : !isEmpty || (needed && empty !== null)
    return isSent ? { [name]: !isEmpty ? toValue(entered) : nullable ? null : empty } : {}
  })
  return Object.assign({}, ...fields)
}
