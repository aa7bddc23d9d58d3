import type { Rows } from '../database.ts'
import type { Sql } from '../sql.ts'
import type { EngineName } from './catalogue.ts'

/** A database as it was at one moment, to be read only, whatever others write meanwhile. */
export interface Snapshot {
  readonly engine: EngineName
  /** Where it is, for people to read: never with a password. */
  readonly location: string
  read(statement: Sql): Promise<Rows>
  /** The rows of a select in parts that fit into memory. `heaviest` tells the bytes of the largest row. */
  parts(select: Sql, heaviest: Sql): AsyncIterable<Rows>
  close(): Promise<void>
}
