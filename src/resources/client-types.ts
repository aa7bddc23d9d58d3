import type { columnTypes } from '../types/index.ts'
import type { ColumnDefinition, Defined } from './define.ts'
import type * as registry from './index.ts'

/** What `createClient<Database>` of supabase-js wants to know, from the definitions of all resources. */
export type Database = {
  /** Says which methods of the client work here. */
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: { [Name in keyof Writable]: Table<Name, Writable[Name]> }
    /** Resources that can only be read. */
    Views: { [Name in keyof ReadOnly]: View<Name, ReadOnly[Name]> }
    Functions: Record<never, never>
    Enums: Record<never, never>
    CompositeTypes: Record<never, never>
  }
}

type Definitions = Readonly<Record<string, ColumnDefinition>>

/** `{ project: { id: { type: 'uuid', … }, … }, … }`: every resource that the registry exports. */
type Registered = Writable & ReadOnly
type Writable = {
  [Key in keyof typeof registry as NameOf<(typeof registry)[Key], false>]: DefinitionsOf<(typeof registry)[Key]>
}
type ReadOnly = {
  [Key in keyof typeof registry as NameOf<(typeof registry)[Key], true>]: DefinitionsOf<(typeof registry)[Key]>
}
type NameOf<Export, IsReadOnly extends boolean> =
  Export extends Defined<infer Name, Definitions, IsReadOnly> ? Name : never
type DefinitionsOf<Export> = Export extends Defined<string, infer Columns extends Definitions> ? Columns : never

type ValueOf<Definition extends ColumnDefinition> = Definition extends { nullable: true }
  ? Typed[(typeof columnTypes)[Definition['type']]['typescript']] | null
  : Typed[(typeof columnTypes)[Definition['type']]['typescript']]

/** By the names that types have for what JSON makes of their values. */
interface Typed {
  string: string
  number: number
  boolean: boolean
  'string[]': string[]
  'Record<string, unknown>': Record<string, unknown>
  'Record<string, unknown>[]': Record<string, unknown>[]
  unknown: unknown
}

type View<Name extends string, Columns extends Definitions> = {
  Row: Fields<Columns, keyof Columns>
  Relationships: TupleOf<Relationship<Name, Columns>>
}

type Table<Name extends string, Columns extends Definitions> = {
  Row: Fields<Columns, keyof Columns>
  Insert: Plain<Fields<Columns, Needed<Columns>> & Partial<Fields<Columns, Exclude<keyof Columns, Needed<Columns>>>>>
  Update: Plain<Partial<Fields<Columns, keyof Columns>>>
  Relationships: TupleOf<Relationship<Name, Columns>>
}

type Fields<Columns extends Definitions, Names extends keyof Columns> = {
  -readonly [Column in Names]: ValueOf<Columns[Column]>
}

/** Names of the columns that the server does not fill in. */
type Needed<Columns extends Definitions> = {
  [Column in keyof Columns]: Columns[Column] extends { generated: string } | { nullable: true } | { default: string }
    ? never
    : Column
}[keyof Columns]

type Relationship<Name extends string, Columns extends Definitions> = {
  [Column in keyof Columns & string]: Columns[Column] extends { references: infer Target extends keyof Registered }
    ? {
        foreignKeyName: `${Name}_${Column}_fkey`
        columns: [Column]
        isOneToOne: false
        referencedRelation: Target
        referencedColumns: [PrimaryKey<Registered[Target]>]
      }
    : never
}[keyof Columns & string]

type PrimaryKey<Columns extends Definitions> = {
  [Column in keyof Columns]: Columns[Column] extends { primaryKey: true } ? Column : never
}[keyof Columns]

/** One object type in place of an intersection of several: the client's types want to see through it. */
type Plain<Type> = { [Key in keyof Type]: Type[Key] }

/** `A | B` → `[A, B]`: the client's types walk a tuple. The last member is found as the last overload of a function. */
type TupleOf<Union> = [Union] extends [never] ? [] : [...TupleOf<Exclude<Union, LastOf<Union>>>, LastOf<Union>]
type LastOf<Union> = Overloads<Union> extends (member: infer Last) => void ? Last : never
type Overloads<Union> = (Union extends unknown ? (overload: (member: Union) => void) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
