import type { ReadPlan, RowsPlan, Scoped } from '../plan/plan.ts'
import { type Range, wholeRange } from '../request/parse-range.ts'
import type { Resource } from '../resources/define.ts'
import { sizeMax } from './company-sizes.ts'
import type { CompanyStore } from './database.ts'
import { type Cost, estimate, resourcesOf, type SizeOf, weighedValues } from './estimate.ts'
import { pageBytesMax } from './limits.ts'
import { after, type Soon } from './soon.ts'

/** What has to be done about a statement before it is run. */
export interface Effort {
  /** It may take longer than a statement may hold the thread that serves. */
  readonly isLong: boolean
  /** It may show more than a page holds. */
  readonly isLarge: boolean
}

/** Ten milliseconds, roughly. */
const workMax = 100_000

const small: Effort = { isLong: false, isLarge: false }

const effortOf = ({ work, bytes }: Cost): Effort => ({ isLong: work > workMax, isLarge: bytes > pageBytesMax })

/** As if the company had more rows than can be counted. */
const anySize: SizeOf = () => Number.POSITIVE_INFINITY

/** Numbers of rows to ask about, so that what a page costs need not be found out for each company. */
const sizesAsked = [Number.POSITIVE_INFINITY, sizeMax, 1000, 100]

/** A page is small in each company that has no more rows than this in any table. */
export function smallUpTo(plan: ReadPlan, range: Range): number {
  const costWith = readCost(plan, range)
  return sizesAsked.find((size) => isSmall(effortOf(costWith(() => size)))) ?? 0
}

/** Whether a page is small, however many rows the company has. */
export const isAlwaysSmall = (plan: ReadPlan, range: Range): boolean =>
  isSmall(effortOf(readCost(plan, range)(anySize)))

const isSmall = ({ isLong, isLarge }: Effort): boolean => !isLong && !isLarge

/** Of a page that is not always small, the number of the company's rows decides. */
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

/** What it costs to change a row, beside finding and showing it. */
const changeWork = 50

type ScopedRows = RowsPlan & Scoped

/** The rows of an update or a delete; what is shown of them is their selection. */
export const effortOfChange = (db: CompanyStore, rows: ScopedRows): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const found = estimate(rows, rows.range, { sizeOf, values: weighedValues(rows) })
    return { work: found.work + found.rows * changeWork, bytes: found.bytes }
  })

/** What is shown of so many new rows. */
export const effortOfShown = (db: CompanyStore, rows: ScopedRows, count: number): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const withNew: SizeOf = (resource) =>
      resource === rows.resource ? Math.max(count, sizeOf(resource)) : sizeOf(resource)
    const given = { sizeOf: withNew, values: weighedValues(rows) }
    const { work, bytes } = estimate(rows, { offset: 0, limit: count }, given)
    return { work: work + count * changeWork, bytes }
  })

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
