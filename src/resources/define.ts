import { type ColumnType, type ColumnTypeName, columnTypes } from './column-types.ts'

interface ColumnDefinition {
  readonly type: ColumnTypeName
  readonly description: string
  readonly primaryKey?: true
  /** The resource whose primary key this column holds. */
  readonly references?: string
  /** Made by the server where the client sends none (`uuid`), or always (`now`). */
  readonly generated?: 'uuid' | 'now'
  readonly onUpdate?: 'now'
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

export function resource(name: string, description: string, definitions: Record<string, ColumnDefinition>): Resource {
  const columns = Object.entries(definitions).map(([column, definition]): Column => ({ name: column, ...definition }))
  const primaryKey = columns.find((column) => column.primaryKey)
  if (!primaryKey) throw new Error(`${name} has no primary key`)
  return { name, description, columns: new Map(columns.map((column) => [column.name, column])), primaryKey }
}

export const typeOf = (column: Column): ColumnType => columnTypes[column.type]

/** Times are the server's alone. */
export const isWritable = (column: Column): boolean => column.generated !== 'now'
