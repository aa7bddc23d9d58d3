import { failure } from '../errors/index.ts'
import type { ColumnType } from '../types/column-type.ts'
import { type Column, isWritable, mayBeNull, type Resource, typeOf } from './define.ts'

/** Refuses a field that the resource does not have, or that only the server sets, unless its value may be sent back. */
export function validateFields(resource: Resource, fields: Iterable<string>, maySendBack: boolean): Column[] {
  return [...fields].map((field) => {
    const column = resource.columns.get(field)
    if (!column) throw failure.fieldUnknown(field, resource.name, writableNames(resource))
    if (!maySendBack && !isWritable(column)) throw failure.columnNotWritable(field)
    return column
  })
}

/** A value that a client sent for a column → as it is stored. */
export function validateValue(resource: Resource, column: Column, value: unknown, zone?: string): string | null {
  if (value === null || value === undefined) {
    if (mayBeNull(column)) return null
    throw failure.valueMissing(column.name, resource.name)
  }
  const type = typeOf(column)
  const text = type.parse(value, column.name, zone)
  const rule = brokenRule(type, text, column)
  if (rule) throw failure.checkViolated(column.name, resource.name, rule)
  return text
}

/** The rule of the column that a stored value breaks, in words. */
export const brokenRule = (type: ColumnType, text: string, column: Column): string | null =>
  type.brokenRule?.(text, column) ?? brokenRange(type, text, column)

function brokenRange(type: ColumnType, text: string, { minimum, maximum }: Column): string | null {
  if (minimum !== undefined && type.compare(text, minimum) < 0) return `at least the value ${type.toJson(minimum)}`
  if (maximum !== undefined && type.compare(text, maximum) > 0) return `at most the value ${type.toJson(maximum)}`
  return null
}

/** What the server puts into a column that the client leaves out of a new row. */
export function generatedValue(column: Column, now: string): string | undefined {
  return column.generated === 'uuid' ? Bun.randomUUIDv7() : column.generated === 'now' ? now : column.default
}

const writableNames = (resource: Resource): string =>
  [...resource.columns.values()]
    .filter(isWritable)
    .map((column) => column.name)
    .join(', ')
