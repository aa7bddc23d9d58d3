import { failure } from '../errors/index.ts'
import type { ReadPlan } from '../plan/plan.ts'
import type { Range } from '../request/parse-range.ts'
import { noteGarbage } from '../traffic/note-garbage.ts'
import { compileCount, compileTotal } from './compile/compile.ts'
import { preparePage } from './compile/prepare.ts'
import type { CompanyStore, Right, Rows } from './database.ts'
import { rowSeparator } from './dialect.ts'
import { type Effort, effortOfRead, isAlwaysShort } from './effort.ts'
import { pageBytesMax, pageRows } from './limits.ts'
import { partBytesOf, readRows, stream } from './read-parts.ts'
import { nothing, type Result, rowsResult, textOf } from './result.ts'
import { after, type Soon } from './soon.ts'
import { fill, type Sql } from './sql.ts'

export function executeRead(db: CompanyStore, plan: ReadPlan, right?: Right): Soon<Result> {
  const { limit, offset } = plan.range
  const wanted = limit ?? Number.POSITIVE_INFINITY
  // One row more than is shown tells whether there are more.
  const range = { limit: Math.min(wanted, pageRows) + 1, offset }
  const page = preparePage(plan, range, db)
  const { statement } = page
  const asked = { db, plan, right, wanted, range, statement }
  if (page.smallUpTo === Number.POSITIVE_INFINITY && isAlwaysShort(plan.shared))
    return after(db.read(statement), pageOf, asked)
  return after(effortOfRead(db, plan, range, page), readWith, asked)
}

interface Asked {
  readonly db: CompanyStore
  readonly plan: ReadPlan
  readonly right: Right | undefined
  /** How many rows, at the most, by the client and of the engine. */
  readonly wanted: number
  readonly range: Range & { readonly limit: number }
  readonly statement: Sql
}

function readWith({ isLong, isLarge }: Effort, asked: Asked): Soon<Result> {
  const { db, statement } = asked
  if (isLarge) return readLarge(asked)
  return after(isLong ? db.readLong(statement) : db.read(statement), pageOf, asked)
}

/** One row with the texts, their number and the total; or rows of one column each, their texts. */
function pageOf(rows: Rows, asked: Asked): Soon<Result> {
  const [first = []] = rows
  if (first.length === 1) return resultOf(textOf(rows), rows.length, null, asked)
  const [text, found = 0, total] = first
  return resultOf(String(text ?? ''), Number(found), total == null ? null : Number(total), asked)
}

/** A page, or the beginning of a stream where there is more than a page holds. */
function resultOf(rows: string, count: number, total: number | null, asked: Asked): Soon<Result> {
  const { plan, wanted, range } = asked
  const shownCount = Math.min(count, wanted)
  if (plan.single && shownCount !== 1) throw failure.notSingle(shownCount)
  if (count < range.limit) return rowsResult(rows, { count, total, more: false })
  if (wanted > pageRows) return streamed(asked, total)
  const shown = rows.slice(0, Math.max(0, rows.lastIndexOf(rowSeparator)))
  return rowsResult(shown, { count: count - 1, total, more: true })
}

async function streamed({ db, plan, right, wanted }: Asked, total: number | null): Promise<Result> {
  return { ...nothing, ...(await extentOf(db, plan, wanted)), total, parts: stream(db, plan, right) }
}

/** Rows that together may be larger than a page: whole where they are not, and otherwise as a stream. */
async function readLarge(asked: Asked): Promise<Result> {
  const { db, plan, right, wanted, range } = asked
  const begun = await readRows(db, { ...plan, range }, { behind: null, bytesMax: pageBytesMax })
  const total = plan.counted ? await countTotal(db, plan) : null
  const found = begun.rows.length
  if (begun.isLast || found === range.limit) return resultOf(textOf(begun.rows), found, total, asked)
  const extent = await extentOf(db, plan, plan.single ? Math.min(wanted, pageRows) : wanted)
  if (plan.single && extent.count !== 1) throw failure.notSingle(extent.count)
  // The page is given up, and read again part by part: many lists that hold one until it is sent would fill the memory.
  noteGarbage(pageBytesMax)
  return { ...nothing, ...extent, total, parts: stream(db, plan, right), partBytes: partBytesOf(plan) }
}

/** How many rows a stream will have, as far as that can be known at little cost, and whether there are more behind them. */
async function extentOf(db: CompanyStore, plan: ReadPlan, wanted: number): Promise<Pick<Result, 'count' | 'more'>> {
  const { offset } = plan.range
  if (wanted <= pageRows) {
    const found = await countRows(db, plan, { offset, limit: wanted + 1 })
    return { count: Math.min(found, wanted), more: found > wanted }
  }
  const more = Number.isFinite(wanted) && (await countRows(db, plan, { offset: offset + wanted, limit: 1 })) === 1
  return { count: more ? wanted : Number.POSITIVE_INFINITY, more }
}

async function countTotal(db: CompanyStore, plan: ReadPlan): Promise<number> {
  const [[total] = []] = await db.readLong(fill(compileTotal(plan, db.dialect), plan.values))
  return Number(total)
}

async function countRows(db: CompanyStore, plan: ReadPlan, range: Range): Promise<number> {
  const [[count] = []] = await db.readLong(fill(compileCount({ ...plan, range }, db.dialect), plan.values))
  return Number(count)
}
