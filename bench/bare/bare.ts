import { tenFields } from '../ten-fields.ts'

/** One row, in the order of the columns: company, id, bid, name, created, updated. */
export type ProjectRow = readonly [string, string, string, string, string, string]

type Soon<Value> = Value | Promise<Value>

/** The necessary work on one engine, with the fastest statements and driver calls that we know. No checks, no dialect, no log. */
export interface Bare {
  /** Looks the company up in the database. Empty if there is none. */
  readCompany(keyDigest: string, secretDigest: string): Soon<string>
  /** All projects of a company, joined as one text. */
  list(company: string): Soon<string>
  get(company: string, id: string): Soon<string>
  /** The newest projects of a bid, each with the bid. */
  embed(company: string, bid: string, limit: number): Soon<string>
  /** On SQLite, concurrent rows share one commit. */
  insert(rows: readonly ProjectRow[]): Promise<void>
  insertAlone(row: ProjectRow): Promise<void>
  stream(company: string): AsyncIterable<string>
  /** The same of a table that has ten more columns. */
  listFielded(company: string): Soon<string>
  insertFielded(row: FieldedRow): Promise<void>
}

/** The same with the values of ten more columns. */
export type FieldedRow = readonly [...ProjectRow, ...(string | number)[]]

export const fieldedNames: readonly string[] = tenFields.map(({ name }) => name)

/** The JSON of a new row. The database changes nothing in it, so it need not be read back. */
export function shownText([, id, bid_id, project_name, created_at, updated_at]: ProjectRow): string {
  return `{"id":"${id}","bid_id":"${bid_id}","project_name":${JSON.stringify(project_name)},"created_at":"${created_at}","updated_at":"${updated_at}"}`
}

export function fieldedText([company, id, bid, name, created, updated, ...values]: FieldedRow): string {
  const known = shownText([company, id, bid, name, created, updated])
  return `${known.slice(0, -1)},${fieldedNames.map((field, at) => `"${field}":${JSON.stringify(values[at])}`).join(',')}}`
}
