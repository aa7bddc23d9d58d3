import type { Load } from '../traffic/turns.ts'
import type { CastProblem } from '../types/cast-error.ts'
import type { CompanyTable, DistributedTable } from './cluster/layout.ts'
import type { Dialect } from './dialect.ts'
import type { OwnBytes } from './own-bytes.ts'
import type { Soon } from './soon.ts'
import type { Sql, Value } from './sql.ts'

export type Row = readonly Value[]
export type Rows = readonly Row[]

/**
 * Confirms that whoever asks still may; throws where that right has ended. What it goes by was read no longer ago than
 * `readMsMax`: where that is left out, than what is remembered of a credential.
 */
export type Right = (readMsMax?: number) => Soon<void>

/** Who asks for rows. */
export interface Asker {
  readonly right: Right | undefined
  /**
   * Counts so many bytes for what a write shows, until it is sent; of 0 it only asks whether there are any left. Throws where
   * there are none. Called before the write is committed.
   */
  takeMemory?(bytes: number): void
}

/** What can be asked of a database. */
export interface Statements {
  /** One statement that changes nothing. */
  read(statement: Sql): Soon<Rows>
  /**
   * All of the statements or none. `check` may throw, and then nothing was written. Do not look at the result of a write
   * without `returning`: one engine gives no rows, another one row with the number of rows written. To count, use `dialect.counting`.
   * Where others keep it waiting, `right` is asked before it begins, and while it goes on.
   */
  transact(
    statements: readonly Sql[],
    check?: (results: readonly Rows[]) => void,
    right?: Right,
  ): Promise<readonly Rows[]>
  /** The same for work whose next statements depend on what the ones before them found. Where it takes long, or others keep it waiting, `right` is asked before the commit. */
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
  /** For what the service does by itself: no request waits behind it. */
  readonly background: Statements
  /** Where it is, for people to read: never with a password. */
  readonly location: string
  /** A numbered step of the schema: once, by whichever instance comes first. Tells whether it was this one. */
  migrate(step: Migration): Promise<boolean>
  close(): Promise<void>
  /** Where reads share a snapshot: those of a request that has come see what was written before it was sent. */
  freshen?(): void
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
export interface CompanyStatements extends Statements, LongStatements {
  /** Whether the engine works in our own thread, so that everybody waits for what takes long. */
  readonly isInThread: boolean
  /** The work that a statement may be for `read` or `transact`, in the unit of `Cost.work`. What is more is for `readLong` or `transactLong`. */
  workMax(): number
  /** As `read`, for a part of a long list. These are large, and wait for others where all share one thread. */
  readPart(statement: Sql): Soon<Rows>
}

/** For the rows of one company: each statement has to name it. */
export interface CompanyStore extends CompanyStatements, Language {
  readonly companyId: string
  /** How many rows the company has in a table, counted up to `sizeMax` and one more, some time within the last second. */
  sizeOf(table: CompanyTable): Soon<number>
  /** What its own fields take in a table, where long rows would keep our own thread busy. Likewise some time within the last second. */
  ownBytesOf(table: CompanyTable): Soon<OwnBytes>
  /** As `read`; as `readLong` if the company has many rows in one of the tables. */
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

/** A statement about the rows of all companies, or of some: `table` is the table that has them, `companyIds` those that are wanted. */
export type Question = (table: (name: DistributedTable) => Sql, companyIds: readonly string[]) => Sql

/** What one node is asked for. */
interface Inquiry {
  readonly node: string
  readonly db: Pick<Database, 'background' | 'readLong'>
  readonly statement: Sql
}

/** One database for all companies. Nothing else knows which engine it is. */
export interface Database extends Engine, Companies {
  load(): StoreLoad
  /** Companies of one node are away together. */
  nodeOf(companyId: string): string
  /**
   * The parts of a question: in a cluster, one for each node, about its own rows, so that a node that is away or silent keeps
   * nothing of the others back. As long as a node cannot be reached straight, rows may be found twice.
   */
  inquire(question: Question, companyIds?: readonly string[]): readonly Inquiry[]
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
