import { failure } from '../errors/index.ts'
import { type ColumnType, shown } from '../types/column-type.ts'
import { type Column, type Resource, typeOf } from './define.ts'
import { labelOf } from './labels.ts'
import { isGuarded, mayStartWith, startLabels } from './transitions.ts'
import { brokenRule } from './validate.ts'

/** The cell of a new row in a file → the value that the API takes for the column. Its failures are for people, and not for programs. */
export function parseCell(resource: Resource, column: Column, cell: string): string | readonly string[] {
  const type = typeOf(column)
  const value = type.inFiles.read?.(cell, column) ?? cell
  const stored = parseValue(type, value, cell)
  const rule = brokenRule(type, stored, column)
  if (rule) throw failure.cellForbidden(shown(cell), labelOf(resource, column), rule)
  if (isGuarded(column) && !mayStartWith(column, stored))
    throw failure.startNotAllowed(shown(cell), resource.labels.one, startLabels(column))
  return value
}

function parseValue(type: ColumnType, value: string | readonly string[], cell: string): string {
  try {
    return type.parse(value, '')
  } catch {
    throw failure.cellUnreadable(shown(cell), type.inFiles.kind, type.inFiles.hint)
  }
}
