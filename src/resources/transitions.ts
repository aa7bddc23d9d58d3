import { failure } from '../errors/index.ts'
import type { Column, Resource } from './define.ts'

/** Columns whose next value depends on the one that a row has. */
export const isGuarded = ({ field, choices }: Column): boolean =>
  field !== undefined && (field.states !== undefined || (choices?.some(({ isClosed }) => isClosed) ?? false))

/** The values that may follow one, in the order of the choices. */
function nextValues({ field, choices = [] }: Column, from: string | null): readonly string[] {
  const open = choices.filter(({ isClosed }) => !isClosed).map(({ value }) => value)
  const { starts = null, next = null } = field?.states ?? {}
  if (from === null) return open.filter((value) => starts === null || starts.includes(value))
  const following = next === null ? null : Object.hasOwn(next, from) ? (next[from] ?? []) : []
  return open.filter((value) => value !== from && (following === null || following.includes(value)))
}

/** Whether a new row may have the value, as it is stored. */
export function mayStartWith(column: Column, value: string | null): boolean {
  if (value === null) return (column.field?.states?.starts ?? null) === null
  if (column.type === 'choice') return nextValues(column, null).includes(value)
  const items: string[] = JSON.parse(value)
  return !closedValues(column).some((closed) => items.includes(closed))
}

/** The labels of those that a new row may have. */
export const startLabels = (column: Column): readonly string[] => {
  const values = nextValues(column, null)
  return (column.choices ?? []).filter(({ value }) => values.includes(value)).map(({ label }) => label)
}

export const closedValues = ({ choices = [] }: Column): readonly string[] =>
  choices.filter(({ isClosed }) => isClosed).map(({ value }) => value)

/** The error of a change that is not allowed. The values are JSON. */
export function transitionFailure(resource: Resource, name: string, from: unknown, to: unknown): Error {
  const column = resource.columns.get(name)
  const before = from === null ? null : textOf(from)
  const next = column ? nextValues(column, column.type === 'choice' ? before : null) : []
  return failure.transitionNotAllowed(name, before, to === null ? null : textOf(to), next)
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value))
