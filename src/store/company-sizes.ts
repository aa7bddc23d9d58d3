import { memoizeText } from '../caches/memoize.ts'
import { resources } from '../resources/index.ts'
import type { CompanyTable } from './cluster/layout.ts'
import { companyRows } from './compile/company-rows.ts'
import type { Rows } from './database.ts'
import { bytesOfLongest, type OwnBytes, shortBytes, shortRows } from './own-bytes.ts'
import { ownBytesSql } from './schema.ts'
import { after, type Soon } from './soon.ts'
import { definedSql, integer, type Sql, sql } from './sql.ts'

/** A company with more rows than this is large; counting stops here. */
export const sizeMax = 5000

/** A cached size expires, because another process may write. */
const cacheMs = 1000

/** How many of the longest rows are asked for. To find one takes up to half a millisecond. */
const longestRows = 4

/** SQLite reads all of each row that it counts. */
const countedBytesMax = 25_000_000

/** Cached sizes of one company's tables. */
export interface CompanySizes {
  /** The number of rows, at most `sizeMax + 1`, which also stands for rows that take long to count. */
  of(table: CompanyTable): Soon<number>
  ownBytesOf(table: CompanyTable): Soon<OwnBytes>
  /** Clears the cache. Called before and after each write, because a count during the write may be wrong, too. */
  forget(): void
}

export interface Sized {
  readonly companyId: string
  /** Long rows would keep the thread busy that serves requests. */
  readonly isInThread: boolean
  read(statement: Sql): Soon<Rows>
}

export function createCompanySizes(sized: Sized): CompanySizes {
  const counts = createCache<number>()
  const bytes = createCache<OwnBytes>()
  // A statement that is made once is checked once.
  const longest = memoizeText((table) => longestOf(sized, table as CompanyTable))
  const ownBytesOf = (table: CompanyTable): Soon<OwnBytes> => {
    if (!sized.isInThread || !takers.has(table)) return shortRows
    return bytes.get(table) ?? after(sized.read(longest(table)), (rows) => bytes.set(table, ownBytes(rows)), null)
  }
  const count = (own: OwnBytes, table: CompanyTable): Soon<number> => {
    const most = Math.min(sizeMax, Math.floor(countedBytesMax / bytesOfLongest(own)))
    const remember = ([first]: Rows) => counts.set(table, Number(first?.[0]) > most ? sizeMax + 1 : Number(first?.[0]))
    return after(sized.read(countUpTo(sized, table, most + 1)), remember, null)
  }
  return {
    of: (table) => counts.get(table) ?? after(ownBytesOf(table), count, table),
    ownBytesOf,
    forget: () => {
      counts.clear()
      bytes.clear()
    },
  }
}

interface Cache<Kept> {
  get(table: string): Kept | undefined
  set(table: string, kept: Kept): Kept
  clear(): void
}

function createCache<Kept>(): Cache<Kept> {
  const known = new Map<string, { readonly kept: Kept; readonly until: number }>()
  return {
    get: (table) => {
      const found = known.get(table)
      return found && found.until > performance.now() ? found.kept : undefined
    },
    set: (table, kept) => {
      known.set(table, { kept, until: performance.now() + cacheMs })
      return kept
    },
    clear: () => known.clear(),
  }
}

/** Tables that hold own fields. */
const takers: ReadonlySet<string> = new Set(resources.filter(({ takesFields }) => takesFields).map(({ name }) => name))

const countUpTo = ({ companyId }: Sized, table: CompanyTable, limit: number): Sql =>
  sql`select count(*) from (select 1 from ${companyRows(table, { companyId })} limit ${integer(limit)}) as counted`

/** By the index of long rows. */
function longestOf({ companyId }: Sized, table: CompanyTable): Sql {
  const bytes = definedSql(ownBytesSql)
  return sql`select ${bytes} as bytes from ${companyRows(table, { companyId })} and ${bytes} > ${integer(shortBytes)} order by bytes desc limit ${integer(longestRows)}`
}

function ownBytes(rows: Rows): OwnBytes {
  const longest = rows.map(([bytes]) => Number(bytes))
  return { longest, others: longest.length < longestRows ? shortBytes : (longest.at(-1) ?? shortBytes) }
}
