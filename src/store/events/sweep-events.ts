import { timestampText } from '../../types/timestamp-text.ts'
import { companiesWith } from '../companies-with.ts'
import { companyRows } from '../compile/company-rows.ts'
import type { CompanyStore, Database } from '../database.ts'
import { integer, type Sql, sql } from '../sql.ts'

/** Events deleted in one statement: other writes wait for it. */
const partMax = 500

/** Deletes events that are older than `keptMs`, company by company and in small parts. */
export async function sweepEvents(db: Database, keptMs: number): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for await (const companyId of companiesWith(db, 'event')) {
    const own = db.forRows(companyId)
    for (;;) {
      const [[last] = []] = await own.read(lastOfPart(own, ends))
      if (last === null || last === undefined) break
      await own.transact([sql`delete from ${companyRows('event', own)} and sequence <= ${last}`])
    }
  }
}

/** Events have their numbers in the order of their times, but for some milliseconds, so that no index of times is needed. */
const lastOfPart = (own: CompanyStore, ends: string): Sql =>
  sql`select max(sequence) from (
        select sequence, created_at from ${companyRows('event', own)} order by sequence limit ${integer(partMax)}) as oldest
      where created_at < ${ends}`
