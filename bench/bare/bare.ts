/** One row, in the order of the columns: company, id, bid, name, created, updated. */
export type ProjectRow = readonly [string, string, string, string, string, string]

type Soon<Value> = Value | Promise<Value>

/** The work itself on one engine, by the fastest statements and driver calls that we know of. No checks, no dialect, no log. */
export interface Bare {
  /** By a statement. Empty where there is none. */
  readCompany(keyDigest: string, secretDigest: string): Soon<string>
  /** All projects of a company, joined. */
  list(company: string): Soon<string>
  get(company: string, id: string): Soon<string>
  /** The newest projects of a bid, each with the bid. */
  embed(company: string, bid: string, limit: number): Soon<string>
  /** With all rows that come at the same time in one commit, where the engine does not do that itself. */
  insert(rows: readonly ProjectRow[]): Promise<void>
  insertAlone(row: ProjectRow): Promise<void>
  stream(company: string): AsyncIterable<string>
}

/** What a row looks like to a client. Nothing in the database changes it, so nothing has to be read back. */
export function shownText([, id, bid_id, project_name, created_at, updated_at]: ProjectRow): string {
  return `{"id":"${id}","bid_id":"${bid_id}","project_name":${JSON.stringify(project_name)},"created_at":"${created_at}","updated_at":"${updated_at}"}`
}
