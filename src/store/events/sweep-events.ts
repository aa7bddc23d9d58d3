import { timestampText } from '../../types/timestamp-text.ts'
import { companiesWith } from '../companies-with.ts'
import { companyRows } from '../compile/company-rows.ts'
import type { CompanyStore, Database } from '../database.ts'
import { bytesOfColumns, countOfPart, partRowsMax } from '../part-of-rows.ts'
import { integer, type Sql, sql } from '../sql.ts'

/** Deletes events that are older than `keptMs`, company by company and in small parts. */
export async function sweepEvents(db: Database, keptMs: number): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for await (const companyId of companiesWith(db, 'event')) {
    const own = db.forRows(companyId)
    for (;;) {
      const rows = await own.read(oldest(own, ends))
      const [last] = rows[countOfPart(rows) - 1] ?? []
      if (last === undefined) break
      await own.transact([sql`delete from ${companyRows('event', own)} and sequence <= ${last}`])
    }
  }
}

/** Events have their numbers in the order of their times, but for some milliseconds, so that no index of times is needed. */
const oldest = (own: CompanyStore, ends: string): Sql =>
  sql`select sequence, bytes from (
        select sequence, created_at, ${bytesOfColumns(own.dialect, ['row', 'previous'])} as bytes
        from ${companyRows('event', own)} order by sequence limit ${integer(partRowsMax)}) as oldest
      where created_at < ${ends} order by sequence`
