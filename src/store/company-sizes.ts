import type { CompanyTable } from './cluster/layout.ts'
import { companyRows } from './compile/company-rows.ts'
import type { Rows } from './database.ts'
import { after, type Soon } from './soon.ts'
import { integer, type Sql, sql } from './sql.ts'

/** A company with more rows than this is large; counting stops here. */
export const sizeMax = 5000

/** A cached size expires, because another process may write. */
const cacheMs = 1000

/** Cached row counts of one company's tables, at most `sizeMax + 1`. */
export interface CompanySizes {
  of(table: CompanyTable): Soon<number>
  /** Clears the cache. Called before and after each write, because a count during the write may be wrong, too. */
  forget(): void
}

export function createCompanySizes(companyId: string, read: (statement: Sql) => Soon<Rows>): CompanySizes {
  const known = new Map<string, { readonly rows: number; readonly until: number }>()
  const remember = ([first]: Rows, table: string): number => {
    const rows = Number(first?.[0])
    known.set(table, { rows, until: performance.now() + cacheMs })
    return rows
  }
  return {
    of: (table) => {
      const size = known.get(table)
      if (size && size.until > performance.now()) return size.rows
      return after(read(countUpTo(companyId, table)), remember, table)
    },
    forget: () => known.clear(),
  }
}

const countUpTo = (companyId: string, table: CompanyTable): Sql =>
  sql`select count(*) from (select 1 from ${companyRows(table, { companyId })} limit ${integer(sizeMax + 1)}) as counted`
