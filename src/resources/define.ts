import { memoize } from '../caches/memoize.ts'
import { type Method, methods, reads } from '../methods.ts'
import type { ColumnType, Rules } from '../types/column-type.ts'
import { type ColumnTypeName, columnTypes } from '../types/index.ts'

export interface ColumnDefinition extends Rules {
  readonly type: ColumnTypeName
  readonly description: string
  /** What people call it, where its name does not say so: see `labelOf`. */
  readonly label?: string
  readonly primaryKey?: true
  /** The resource whose primary key this column holds. */
  readonly references?: string
  /** Made by the server where the client sends none (`uuid`), or always (`now`). */
  readonly generated?: 'uuid' | 'now'
  readonly onUpdate?: 'now'
  /** A row may go without a value. */
  readonly nullable?: true
  /** A row that is written has a value, even where older ones go without. */
  readonly required?: true
  /** What a new row has where the client sends nothing. */
  readonly default?: string
  /** What the documentation shows as a value, where the type's own example would not look real. */
  readonly example?: string
}

export interface Column extends ColumnDefinition {
  readonly name: string
  /** Of a company's own column: its values stand together with those of its other fields, in one JSON object for each row. */
  readonly field?: OwnField
}

export interface OwnField {
  readonly id: string
  /** Values that were hidden for a while may still stand among those of archived fields. */
  readonly wasArchived: boolean
  /** Whether an index has its values: of all rows, or of those that were written since it is being built. */
  readonly index: 'complete' | 'partial' | null
  /** Of a choice whose values are the states of a row. */
  readonly states?: States
}

export interface States {
  /** Those that a new row may have; null for all. */
  readonly starts: readonly string[] | null
  /** Those that may follow each state; null where every one may follow every other one. */
  readonly next: Readonly<Record<string, readonly string[]>> | null
}

declare const isTable: unique symbol

/** Also the name of a table. Its type keeps SQL from naming that table without a company. */
export type ResourceName<Name extends string = string> = Name & { readonly [isTable]: true }

/** A kind of thing that a company owns and the API serves. The company itself is no column of it. */
export interface Resource {
  readonly name: ResourceName
  readonly description: string
  readonly labels: Labels
  readonly columns: ReadonlyMap<string, Column>
  readonly primaryKey: Column
  /** Those that clients may use: a read-only resource has no others than GET and HEAD. */
  readonly methods: readonly Method[]
  readonly isReadOnly: boolean
  /** The settings page does not list its rows as it does those of other resources. */
  readonly isUnlisted: boolean
  /** Companies can add columns of their own to it. */
  readonly takesFields?: true
  /** Of the resource as one company knows it: what it has added, and all resources as it knows them. */
  readonly own?: OwnFields
  readonly siblings?: readonly Resource[]
}

/** The columns that a company has added to a resource. They come last. */
export interface OwnFields {
  /** A row that was written for it has the values of all of them, in this order. */
  readonly version: number
  readonly columns: readonly Column[]
  /** The names of archived fields, whose values are kept. */
  readonly archived: readonly string[]
}

/** What people call one row and several: "project" and "projects". */
export interface Labels {
  readonly one: string
  readonly many: string
}

/** A resource whose type remembers its definition word for word, so that the client's types follow from it. */
export interface Defined<Name extends string, Definitions, ReadOnly extends boolean = boolean> extends Resource {
  readonly name: ResourceName<Name>
  readonly definitions: Definitions
  readonly isReadOnly: ReadOnly
}

interface Options<ReadOnly extends boolean> {
  readonly labels?: Labels
  /** Its rows are written by the service itself: clients can only read them. */
  readonly isReadOnly?: ReadOnly
  /** The settings page has a page of its own for its rows. */
  readonly isUnlisted?: boolean
}

export function resource<
  const Name extends string,
  const Definitions extends Record<string, ColumnDefinition>,
  const ReadOnly extends boolean = false,
>(
  name: Name,
  description: string,
  definitions: Definitions,
  { labels = labelsOf(name), isReadOnly, isUnlisted = false }: Options<ReadOnly> = {},
): Defined<Name, Definitions, ReadOnly> {
  const columns = Object.entries(definitions).map(columnOf)
  const primaryKey = columns.find((column) => column.primaryKey)
  if (!primaryKey) throw new Error(`${name} has no primary key`)
  const byName = new Map(columns.map((column) => [column.name, column]))
  if (!isReadOnly) requireWritable(name, byName)
  return {
    // The mark is for the compiler alone.
    name: name as ResourceName<Name>,
    description,
    labels,
    definitions,
    columns: byName,
    primaryKey,
    methods: isReadOnly ? reads : methods,
    // `false` is what the compiler infers where the option is left out.
    isReadOnly: (isReadOnly ?? false) as ReadOnly,
    isUnlisted,
  }
}

/** Writes, events and the settings page know rows by their id and their times. */
function requireWritable(name: string, columns: ReadonlyMap<string, Column>): void {
  const [id, created, updated] = ['id', 'created_at', 'updated_at'].map((column) => columns.get(column))
  if (!id?.primaryKey || id.type !== 'uuid') throw new Error(`${name} needs the primary key "id" of type uuid`)
  if (created?.generated !== 'now' || updated?.generated !== 'now' || updated.onUpdate !== 'now')
    throw new Error(`${name} needs "created_at" and "updated_at", which the service sets`)
}

/** The same, to which companies can add columns of their own: its table has a place for their values. */
export const withOwnFields = <Taking extends Resource>(definition: Taking): Taking => ({
  ...definition,
  takesFields: true,
})

/** `work_order` → "work order" and "work orders" */
function labelsOf(name: string): Labels {
  const one = name.replaceAll('_', ' ')
  return { one, many: `${one}s` }
}

/** Its default is spelled as it is stored. */
function columnOf([name, definition]: [string, ColumnDefinition]): Column {
  const column = { name, ...definition }
  return column.default === undefined ? column : { ...column, default: typeOf(column).parse(column.default, name) }
}

/** In the order of their definition. */
export const columnsOf = memoize(({ columns }: Resource): readonly Column[] => [...columns.values()])

export function typeOf(column: Column): ColumnType {
  const type: ColumnType = columnTypes[column.type]
  return type.withRules?.(column) ?? type
}

/** Whether a client has to send a value for a new row. */
export const isNeeded = (column: Column): boolean =>
  isWritable(column) && !column.generated && !mayBeNull(column) && column.default === undefined

/** Whether a row may be written without a value. */
export const mayBeNull = ({ nullable, required }: Column): boolean => nullable === true && !required

/** Times are the server's alone. */
export const isWritable = (column: Column): boolean => column.generated !== 'now'
