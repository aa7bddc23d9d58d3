import { memoize } from '../caches/memoize.ts'
import type { ReadPlan, RowsPlan, Scoped } from '../plan/plan.ts'
import { type Range, wholeRange } from '../request/parse-range.ts'
import { type Resource, typeOf } from '../resources/define.ts'
import { sizeMax } from './company-sizes.ts'
import type { CompanyStore } from './database.ts'
import { type Cost, estimate, resourcesOf, type SizeOf, weighedValues } from './estimate.ts'
import { pageBytesMax } from './limits.ts'
import { after, type Soon } from './soon.ts'

/** How a statement has to be run. */
export interface Effort {
  /** It may take too long for the thread that serves requests. */
  readonly isLong: boolean
  /** Its result may exceed `pageBytesMax`. */
  readonly isLarge: boolean
}

/** About 10 ms, in the unit of `Cost.work`. */
const workMax = 100_000

const small: Effort = { isLong: false, isLarge: false }

const effortOf = ({ work, bytes }: Cost): Effort => ({ isLong: work > workMax, isLarge: bytes > pageBytesMax })

/** The worst case: a company without a bound on its rows. */
const anySize: SizeOf = () => Number.POSITIVE_INFINITY

/** Company sizes to try, largest first. The result holds for every company, so it can be cached with the plan. */
const sizesTried = [Number.POSITIVE_INFINITY, sizeMax, 1000, 100]

/** The page is cheap for every company that has at most this many rows in each table. */
export function smallUpTo(plan: ReadPlan, range: Range): number {
  const costWith = readCost(plan, range)
  return sizesTried.find((size) => isSmall(effortOf(costWith(() => size)))) ?? 0
}

/** Whether a page is cheap, however many rows the company has. */
export const isAlwaysSmall = (plan: ReadPlan, range: Range): boolean =>
  isSmall(effortOf(readCost(plan, range)(anySize)))

const isSmall = ({ isLong, isLarge }: Effort): boolean => !isLong && !isLarge

/** For a page that is not always cheap: decides by the number of the company's rows. */
export const effortOfRead = (db: CompanyStore, plan: ReadPlan, range: Range, smallUpTo = 0): Soon<Effort> =>
  after(sizesOf(db, resourcesOf(plan.shared)), effortWithin, { plan, range, smallUpTo })

interface Page {
  readonly plan: ReadPlan
  readonly range: Range
  readonly smallUpTo: number
}

const effortWithin = (sizes: Sizes, { plan, range, smallUpTo }: Page): Effort =>
  Math.max(...sizes.values()) <= smallUpTo ? small : effortWith(sizes, readCost(plan, range))

const readCost =
  (plan: ReadPlan, range: Range) =>
  (sizeOf: SizeOf): Cost => {
    const given = { sizeOf, values: weighedValues(plan) }
    const { work, bytes } = estimate(plan.shared, range, given)
    if (!plan.counted) return { work, bytes }
    const counted = estimate({ ...plan, selection: [], order: [] }, wholeRange, given)
    return { work: work + counted.work, bytes }
  }

/** The cost of changing a row, without finding and returning it. All of its own fields are read and written. */
const changeWork = memoize(({ own }: Resource): number => {
  const bytes = (own?.columns ?? []).reduce((total, column) => total + typeOf(column).jsonBytesMax(column), 0)
  return rowWork + bytes * byteWork
})
const rowWork = 50
const byteWork = 0.05

type ScopedRows = RowsPlan & Scoped

/** For an update or a delete. The selection is what it returns of the rows. */
export const effortOfChange = (db: CompanyStore, rows: ScopedRows): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const found = estimate(rows, rows.range, { sizeOf, values: weighedValues(rows) })
    return { work: found.work + found.rows * changeWork(rows.resource), bytes: found.bytes }
  })

/** For an insert of `count` rows that have to be read again to be shown. */
export const effortOfShown = (db: CompanyStore, rows: ScopedRows, count: number): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const withNew: SizeOf = (resource) =>
      resource === rows.resource ? Math.max(count, sizeOf(resource)) : sizeOf(resource)
    const given = { sizeOf: withNew, values: weighedValues(rows) }
    const { work, bytes } = estimate(rows, { offset: 0, limit: count }, given)
    return { work: work + count * changeWork(rows.resource), bytes }
  })

/** The same where all that is shown of them is known. */
export function effortOfKnown(rows: ScopedRows, count: number): Effort {
  const given = { sizeOf: () => count, values: weighedValues(rows) }
  const { bytes } = estimate(rows, { offset: 0, limit: count }, given)
  return effortOf({ work: count * changeWork(rows.resource), bytes })
}

function decide(db: CompanyStore, rows: RowsPlan, costWith: (sizeOf: SizeOf) => Cost): Soon<Effort> {
  if (isSmall(effortOf(costWith(anySize)))) return small
  return after(sizesOf(db, resourcesOf(rows)), effortWith, costWith)
}

type Sizes = ReadonlyMap<Resource, number>

const effortWith = (sizes: Sizes, costWith: (sizeOf: SizeOf) => Cost): Effort =>
  effortOf(costWith((resource) => sizes.get(resource) ?? Number.POSITIVE_INFINITY))

function sizesOf(db: CompanyStore, resources: ReadonlySet<Resource>): Soon<Sizes> {
  const sizes = new Map<Resource, number>()
  const found = [...resources].map((resource) =>
    after(
      db.sizeOf(resource.name),
      (rows) => sizes.set(resource, rows > sizeMax ? Number.POSITIVE_INFINITY : rows),
      null,
    ),
  )
  return found.some((one) => one instanceof Promise) ? Promise.all(found).then(() => sizes) : sizes
}
