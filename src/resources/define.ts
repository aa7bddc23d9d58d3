import type { ColumnType } from '../types/column-type.ts'
import { type ColumnTypeName, columnTypes } from '../types/index.ts'

export interface ColumnDefinition {
  readonly type: ColumnTypeName
  readonly description: string
  readonly primaryKey?: true
  /** The resource whose primary key this column holds. */
  readonly references?: string
  /** Made by the server where the client sends none (`uuid`), or always (`now`). */
  readonly generated?: 'uuid' | 'now'
  readonly onUpdate?: 'now'
  /** A row may go without a value. */
  readonly nullable?: true
  /** What a new row has where the client sends nothing, in the spelling in which it is stored. */
  readonly default?: string
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Column extends ColumnDefinition {
  readonly name: string
}

/** A kind of thing that a company owns and the API serves. The company itself is no column of it. */
export interface Resource {
  readonly name: string
  readonly description: string
  readonly columns: ReadonlyMap<string, Column>
  readonly primaryKey: Column
}

/** A resource whose type remembers its definition word for word, so that the client's types follow from it. */
export interface Defined<Name extends string, Definitions> extends Resource {
  readonly name: Name
  readonly definitions: Definitions
}

export function resource<const Name extends string, const Definitions extends Record<string, ColumnDefinition>>(
  name: Name,
  description: string,
  definitions: Definitions,
): Defined<Name, Definitions> {
  const columns = Object.entries(definitions).map(([column, definition]): Column => ({ name: column, ...definition }))
  const primaryKey = columns.find((column) => column.primaryKey)
  if (!primaryKey) throw new Error(`${name} has no primary key`)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { name, description, definitions, columns: byName, primaryKey }
}

export const typeOf = (column: Column): ColumnType => columnTypes[column.type]

/** Whether a client has to send a value for a new row. */
export const isNeeded = (column: Column): boolean =>
  isWritable(column) && !column.generated && !column.nullable && column.default === undefined

/** Times are the server's alone. */
export const isWritable = (column: Column): boolean => column.generated !== 'now'
