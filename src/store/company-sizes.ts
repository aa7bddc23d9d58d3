import { after, type Soon } from '../soon.ts'
import type { Rows } from './database.ts'
import { identifier, integer, type Sql, sql } from './sql.ts'

/** A company with more rows than this is large; how large does not matter. */
export const sizeMax = 5000

/** How long a size is trusted, and how long after a write. */
const trustedMs = 1000
const trustedAfterWriteMs = 100

/** How many rows one company has in its tables, up to `sizeMax` and one more. */
export interface CompanySizes {
  of(table: string): Soon<number>
  /** The company writes: what is known grows old sooner. */
  written(): void
}

export function createCompanySizes(companyId: string, read: (statement: Sql) => Soon<Rows>): CompanySizes {
  const known = new Map<string, { readonly rows: number; until: number }>()
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
    written: () => {
      if (known.size === 0) return
      const until = performance.now() + trustedAfterWriteMs
      for (const size of known.values()) size.until = Math.min(size.until, until)
    },
  }
}

const countUpTo = (companyId: string, table: string): Sql =>
  sql`select count(*) from (select 1 from ${identifier(table)} where ${identifier(table, 'company_id')} = ${companyId} limit ${integer(sizeMax + 1)}) as counted`
