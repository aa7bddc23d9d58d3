import type { CompanyTable } from './cluster/layout.ts'
import { companyRows } from './compile/company-rows.ts'
import type { Rows } from './database.ts'
import { after, type Soon } from './soon.ts'
import { integer, type Sql, sql } from './sql.ts'

/** A company with more rows than this is large; how large does not matter. */
export const sizeMax = 5000

/** How long a size is trusted: another process may write. */
const trustedMs = 1000

/** How many rows one company has in its tables, up to `sizeMax` and one more. */
export interface CompanySizes {
  of(table: CompanyTable): Soon<number>
  /** Called when the company begins to write, and when it has: what was found out meanwhile may be wrong too. */
  forget(): void
}

export function createCompanySizes(companyId: string, read: (statement: Sql) => Soon<Rows>): CompanySizes {
  const known = new Map<string, { readonly rows: number; readonly until: number }>()
  const remember = ([first]: Rows, table: string): number => {
    const rows = Number(first?.[0])
    known.set(table, { rows, until: performance.now() + trustedMs })
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
