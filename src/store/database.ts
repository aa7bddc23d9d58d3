import type { ComparingOperator } from '../plan/plan.ts'
import type { Param } from '../request/operand.ts'
import type { Range } from '../request/parse-range.ts'
import type { Column } from '../resources/define.ts'
import type { SearchLanguage } from '../resources/text/languages.ts'
import type { Load } from '../traffic/turns.ts'
import type { CastProblem } from '../types/cast-error.ts'
import type { Aggregate, AggregateRule, CastName, ShownType } from '../types/column-type.ts'
import type { IsWord } from '../types/operators.ts'
import type { CompanyTable } from './cluster/layout.ts'
import type { Soon } from './soon.ts'
import type { Piece, Sql, Value } from './sql.ts'

export type Row = readonly Value[]
export type Rows = readonly Row[]

/** Confirms that whoever asks still may; throws where that right has ended. */
export type Right = () => Soon<void>

/** What can be asked of a database. */
export interface Statements {
  /** One statement that changes nothing. */
  read(statement: Sql): Soon<Rows>
  /**
   * All of the statements or none. `check` may throw, and then nothing was written. Do not look at the result of a write
   * without `returning`: one engine gives no rows, another one row with the number of rows written. To count, use `dialect.counting`.
   */
  transact(statements: readonly Sql[], check?: (results: readonly Rows[]) => void): Promise<readonly Rows[]>
  /** The same for work whose next statements depend on what the ones before them found. Where it may take long, `right` is asked before the commit. */
  transactInSteps(work: Steps, right?: Right): Promise<void>
}

/** What it takes to write statements and to understand why one failed. */
interface Language {
  readonly dialect: Dialect
  /** What went wrong, in words that the engines share. */
  explain(error: unknown): Problem | null
}

export interface Store extends Statements, Language {}

/** What may take long or be large. An engine that works in our own thread does it elsewhere. */
export interface LongStatements {
  readLong(statement: Sql): Soon<Rows>
  /** What `dialect.within` has made: its first rows, up to the one with which their texts exceed so many bytes. */
  readWithin(statement: Sql, bytesMax: number): Soon<Rows>
  /** As `transactInSteps`. `choose` comes before, and writes nothing that others see. */
  transactLong(work: Steps, choose: readonly Sql[], right?: Right): Promise<void>
}

/** One engine: embedded, or on a server. */
export interface Engine extends Store, LongStatements {
  /** Where it is, for people to read: never with a password. */
  readonly location: string
  /** A numbered step of the schema: once, by whichever instance comes first. Tells whether it was this one. */
  migrate(step: Migration): Promise<boolean>
  close(): Promise<void>
  /** Where writes share commits: how many of each there have been. */
  groupCommits?(): GroupCommits
  /** Where instances can tell each other of new events, earlier than each finds out by itself. */
  readonly hints?: Hints
}

/** A hint may be lost. It says that a company may have new events. */
export interface Hints {
  tell(companyIds: readonly string[]): Promise<void>
  /** Hears what others tell. Returns what ends it. */
  listen(hear: (companyId: string) => void): Promise<() => Promise<void>>
}

export interface GroupCommits {
  readonly commits: number
  readonly writes: number
}

/** What a store has to do, for whoever runs it. */
export interface StoreLoad {
  /** By what is waited for. */
  readonly queues: Readonly<Record<string, Load>>
  /** Of a server. */
  readonly connectionsMax: number | null
  readonly groupCommits: GroupCommits | null
}

/** Statements of one company, which take turns with those of others. A write that had to wait asks `right` again before it begins. */
export interface CompanyStatements extends Statements, Pick<LongStatements, 'readLong' | 'readWithin'> {
  transact(
    statements: readonly Sql[],
    check?: (results: readonly Rows[]) => void,
    right?: Right,
  ): Promise<readonly Rows[]>
  transactInSteps(work: Steps, right?: Right): Promise<void>
  transactLong(work: Steps, choose: readonly Sql[], right?: Right): Promise<void>
  /** Whether the engine works in our own thread, so that everybody waits for what takes long. */
  readonly isInThread: boolean
  /** As `read`, for a part of a long list. These are large, and wait for others where all share one thread. */
  readPart(statement: Sql): Soon<Rows>
}

/** For the rows of one company: each statement has to name it. */
export interface CompanyStore extends CompanyStatements, Language {
  readonly companyId: string
  /** How many rows the company has in a table, counted up to `sizeMax` and one more, some time within the last second. */
  sizeOf(table: CompanyTable): Soon<number>
  /** As `read`, and elsewhere only where the company has many rows in one of the tables. */
  readReport(tables: readonly CompanyTable[], statement: Sql): Soon<Rows>
}

/** Where each company's own store is. */
export interface Companies {
  forCompany(companyId: string): CompanyStore
  /** The same for statements on tables that are spread over the nodes (`distributedTables`) alone: in a cluster, on the company's node. */
  forRows(companyId: string): CompanyStore
  /** Companies are on different nodes, each of which may be away while the others are not. */
  readonly isSpread: boolean
}

/** One database for all companies. Nothing else knows which engine it is. */
export interface Database extends Engine, Companies {
  load(): StoreLoad
}

/** Yields statements, is given what they found, and so on. Throws to undo it all. */
export type Steps = Generator<readonly Sql[], void, readonly Rows[]>

export interface Migration {
  readonly number: number
  readonly name: string
  readonly script: string
}

export type Problem =
  | 'foreign key'
  | 'duplicate'
  | 'locked'
  | 'slow'
  | 'collision'
  | 'too complex'
  /** More is shown of one row, or by one write, than may be. */
  | 'too large'
  /** Nothing was done. */
  | 'away'
  /** By the statement itself: see `refuse`. */
  | 'refused'
  | CastProblem
  | 'read-only'
  | 'full'
  | 'damaged'
  /** The connection was lost before the answer came: it may have been done, or may still be. */
  | 'interrupted'
  /** The same, after a long wait for the answer. */
  | 'silent'

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
  /** The rows of `source` → one row: their texts joined by `rowSeparator`, their number, and the `extra` value. */
  page(entries: readonly Entry[], source: Piece, extra: Piece): Piece
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
  /** What keeps rows that were read from being changed by others until the transaction ends. */
  readonly forUpdate: Sql
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
