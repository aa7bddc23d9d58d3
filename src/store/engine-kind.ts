import type { NamedFinding } from './check.ts'
import type { Snapshot } from './copy/snapshot.ts'
import type { Database } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { FileReport, Restored } from './file-report.ts'

export interface StoreSettings {
  readonly databaseUrl: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  readonly queueMax: number
}

/** The same for an installation, which may have several processes. */
export interface ExaminedSettings extends StoreSettings {
  readonly workers: number
}

/** One engine: all that differs from the others, beside its SQL. */
export interface EngineKind {
  readonly name: Dialect['name']
  open(settings: StoreSettings): Database
  openSnapshot(settings: StoreSettings): Promise<Snapshot>
  /** Where a database is, for people to read: never with a password. */
  locationOf(url: string): string
  /** Throws where a database should be and none is: to open it would make an empty one. */
  requireDatabase(url: string): void
  /** Why an open database must not be served yet; null where nothing is in the way. */
  obstacleTo(db: Database, url: string): Promise<string | null>
  readonly openingFailed: {
    /** A sentence without its end. `location` is null where not even that is known. */
    what(location: string | null, url: string): string
    /** What to do about it, where the reason alone does not tell. */
    remedyFor(error: unknown): string
  }
  /** Looks at all that could void a promise. `isFull` reads the whole database, where that tells more. */
  examine(settings: ExaminedSettings, isFull: boolean): Promise<NamedFinding[]>
  /** A report; or, of an engine that has tools of its own, how to use those. */
  backup(url: string, file: string): FileReport | string
  restore(file: string, url: string, mayReplace: boolean): Promise<Restored | string>
  /** A newcomer finds some data to begin with. */
  readonly hasDemo: boolean
  /** Tables can be spread over several servers. */
  readonly canDistribute: boolean
}
