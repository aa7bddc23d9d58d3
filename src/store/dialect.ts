import type { ComparingOperator } from '../plan/plan.ts'
import type { Param } from '../request/operand.ts'
import type { Range } from '../request/parse-range.ts'
import type { Column } from '../resources/define.ts'
import type { SearchLanguage } from '../resources/text/languages.ts'
import type { Aggregate, AggregateRule, CastName, ShownType } from '../types/column-type.ts'
import type { IsWord } from '../types/operators.ts'
import type { Piece, Sql } from './sql.ts'

/** One member of a JSON object that the engine makes. */
export interface Entry {
  readonly key: string
  readonly value: Piece
  /** The value is JSON already. */
  readonly isJson: boolean
  /** How it is shown; null: as the engine does by itself. */
  readonly type: ShownType | null
  readonly isNullable: boolean
  /** The value is the text of several members, with their keys; of the last ones, with the end of the object. */
  readonly members?: 'inner' | 'last'
}

/** All that differs between the engines' SQL. `source` is a from clause and what follows it. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  placeholder(position: number): string
  /** One row → the text of a JSON object. */
  rowText(entries: readonly Entry[]): Piece
  /** The rows of `source` → one row: their texts joined by `rowSeparator`, their number, and the `extra` value. Fails where they exceed `bytesMax`. */
  page(
    entries: readonly Entry[],
    source: Piece,
    more: { readonly extra: Piece; readonly bytesMax: number | null },
  ): Piece
  /** Where it is faster than `page`: each row's text in a row of its own. */
  readonly list: ((entries: readonly Entry[], source: Piece) => Piece) | null
  /** As `page`, with the last of the rows' keys: the least or the greatest, as the order goes. */
  part(entries: readonly Entry[], source: Piece, key: { readonly value: Piece; readonly descending: boolean }): Piece
  /** The only row of `source` → a JSON object, or null. */
  object(entries: readonly Entry[], source: Piece): Piece
  /** The rows of `source` → a JSON array of objects, which fails where it exceeds `bytesMax`. */
  array(entries: readonly Entry[], source: Piece, bytesMax: number | null): Piece
  /** One value of each row of `source` → a JSON array, likewise. */
  valueArray(entry: Entry, source: Piece, bytesMax: number | null): Piece
  /** Rows with a column `text` and others → the same, for `readWithin`. */
  within(rows: Piece, bytesMax: number): Piece
  /** Whether `readWithin` looks at no more rows than it returns. */
  readonly stopsWithin: boolean
  /** How many bytes of a row a text or JSON takes. */
  storedBytes(value: Sql): Sql
  /** JSON → text that loses nothing, to group by. */
  keyText(value: Piece): Piece
  /** A value → what rows are grouped and ordered by. */
  sortKey(value: Piece, type: ShownType | null): Piece
  /** The value of a column → its canonical text. */
  textOf(column: Column, value: Piece): Piece
  /** A company's own fields, as JSON → the value of the one that is this column. */
  fieldValue(column: Column, fields: Sql): Sql
  /** The same → the JSON of one of them, or null where there is none of that name. */
  fieldText(name: string, fields: Sql): Sql
  /** The JSON of a list of texts, or of null → a table with each as an `item`. */
  itemsOf(list: Piece): Piece
  /** The canonical text of a value → the value, for a column. */
  valueOf(column: Column, text: Piece): Piece
  /** The text of JSON → as a column takes it. */
  storedJson(text: Piece): Piece
  /** An expression of text that fails, with the words of `text`. */
  refuse(text: Piece): Piece
  /** What `keyText` made of JSON → JSON again. */
  asJson(text: Piece): Piece
  cast(value: Sql, from: ShownType, to: CastName): Sql
  /** The same in the time zone that is among the values of the request; null where it is the same in every zone. */
  castInZone(value: Sql, from: ShownType, to: CastName, zone: Param): Piece | null
  aggregate(value: Sql, name: Aggregate, rule: AggregateRule | undefined): Sql
  /** What stands behind `is`. */
  readonly isWords: Readonly<Record<IsWord, Sql>>
  /** Whether a column compares so with a value, or with any or all of several. */
  compare(comparison: Comparison): Piece
  /** `limit … offset …`, or nothing for a range without an end. */
  limit(range: Range): Sql
  /** To be run first where a transaction should rather fail than wait long for another one. */
  readonly waitBriefly: readonly Sql[]
  /** The function that tells where a text stands in another; 0 for nowhere. */
  readonly position: Sql
  /** What keeps rows that were read from being changed by others until the transaction ends. */
  readonly forUpdate: Sql
  /** Whether a write can call all functions on columns. Otherwise rows are found before it by a company's fields, and fields merged after it. */
  readonly computesInWrites: boolean
  /** Whether inserts of one row wait while others of the company are under way, to be written together. */
  readonly gathersRows: boolean
  /** A write → the same, followed by what is shown of the rows that it wrote. Fails where that exceeds `bytesMax`. */
  showing(write: Piece, written: Written, bytesMax: number | null): Piece
  /** A write → statements that do it, the last of which tells how many rows it wrote. */
  counting(write: Piece): readonly Piece[]
  /** Where one writer locks all others out, the rows of a long write are chosen before it begins. */
  readonly chosen: Chosen | null
  /** Rows of values → what stands behind `insert into …`, each row behind its company: for one statement, or for several. */
  rows(
    columns: readonly Column[],
    rows: readonly (readonly (string | null)[])[],
    /** One more value for each row, behind the others. */
    added?: Piece,
  ): readonly Piece[]
  readonly newEvents: NewEvents
}

/**
 * How events are written. Where there is one writer at a time, each gets its number at once. Elsewhere they go into an
 * inbox, and are numbered after the commit: see docs/events.md.
 */
interface NewEvents {
  readonly table: 'event' | 'event_inbox'
  /** What the engine itself adds to each event. */
  readonly added: 'sequence' | 'created_at'
  /** Its value, for one of `count` events. `at` is the position of the event among them, from 0. */
  value(count: number, at: Piece): Piece
  /** What comes before so many events. */
  before(count: number): readonly Piece[]
  /** The event of one new row: in the statement of the row, in one behind it, or together with those of other writes. */
  readonly alone: 'joined' | 'behind' | 'gathered'
  /** Where the events of several companies can be numbered by one statement: up to `eachMax` of each. It tells how many of which company. */
  readonly number: ((companyIds: readonly string[], eachMax: number) => Sql) | null
}

/** Keys that are remembered from one statement to the next. */
interface Chosen {
  remember(keys: Piece): readonly Piece[]
  /** Whether a key is one of those. */
  includes(key: Piece): Piece
  /** Where they are, for `from`, and one of them there. To go through them in order is quicker than to look for each. */
  readonly table: Piece
  readonly key: Piece
}

/** The rows that a statement writes: their table, its columns, and what is shown of each row. */
interface Written {
  readonly table: Piece
  readonly columns: Piece
  readonly shown: Piece
}

export interface Comparison {
  readonly column: Column
  readonly value: Piece
  readonly operator: ComparingOperator
  readonly quantifier: 'any' | 'all' | null
  /** Of a full-text search. */
  readonly language: SearchLanguage
  readonly operand: Param
}

/** Between two rows of JSON. A line break within a row is always escaped, so this can also take rows apart. */
export const rowSeparator = ',\n'
