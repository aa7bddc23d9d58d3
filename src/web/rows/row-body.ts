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
    const { name, needed } = column
    const entered = form[name] ?? ''
    const isFilled = entered.length > 0 || (needed && viewOf(column).empty !== null)
    const isSent = before ? !isSame(entered, before[name]) : isFilled
    return isSent ? { [name]: sentValue(column, entered) } : {}
  })
  return Object.assign({}, ...fields)
}

/** What a field stands for: an empty one for no value, where there may be none. */
export function sentValue(column: Column, entered: Entered): unknown {
  const { toValue, empty } = viewOf(column)
  if (entered.length > 0) return toValue(entered)
  return column.nullable ? null : empty
}

/** A form before somebody began, as they filled it in, and as somebody else has saved it meanwhile. */
interface ThreeForms {
  readonly before: Form
  readonly entered: Form
  readonly theirs: Form
}

/** The fields that both have changed, to different ends. */
export const clashesOf = (columns: readonly Column[], { before, entered, theirs }: ThreeForms): readonly Column[] =>
  columns.filter(
    ({ name }) =>
      !isSame(entered[name], before[name]) &&
      !isSame(theirs[name], before[name]) &&
      !isSame(entered[name], theirs[name]),
  )

/** What was filled in, on top of what the other has saved. */
export const merged = (columns: readonly Column[], { before, entered, theirs }: ThreeForms): Form =>
  Object.fromEntries(
    columns.map(({ name }) => [name, (isSame(entered[name], before[name]) ? theirs[name] : entered[name]) ?? '']),
  )

/** Lists are the same if their texts are. */
export const isSame = (one: Entered | undefined, other: Entered | undefined): boolean =>
  JSON.stringify(one ?? '') === JSON.stringify(other ?? '')
