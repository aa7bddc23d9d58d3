import type { ReadPlan, RowsPlan } from '../plan/plan.ts'
import { type Range, wholeRange } from '../request/parse-range.ts'
import type { Resource } from '../resources/define.ts'
import { after, type Soon } from '../soon.ts'
import { sizeMax } from './company-sizes.ts'
import type { CompanyStore } from './database.ts'
import { type Cost, estimate, resourcesOf, type SizeOf } from './estimate.ts'
import { pageBytesMax } from './limits.ts'

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

/** Whether a page is small, however many rows the company has. */
export function isAlwaysSmall(plan: ReadPlan, range: Range): boolean {
  const { isLong, isLarge } = effortOf(readCost(plan, range)(anySize))
  return !isLong && !isLarge
}

/** Of what is not always small, the number of the company's rows decides. */
export const effortOfRead = (db: CompanyStore, plan: ReadPlan, range: Range): Soon<Effort> =>
  decide(db, plan, readCost(plan, range))

const readCost =
  (plan: ReadPlan, range: Range) =>
  (sizeOf: SizeOf): Cost => {
    const { work, bytes } = estimate(plan, range, sizeOf)
    if (!plan.counted) return { work, bytes }
    const counted = estimate({ ...plan, selection: [], order: [] }, wholeRange, sizeOf)
    return { work: work + counted.work, bytes }
  }

/** What it costs to change a row, beside finding and showing it. */
const changeWork = 50

/** The rows of an update or a delete; what is shown of them is their selection. */
export const effortOfChange = (db: CompanyStore, rows: RowsPlan): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const found = estimate(rows, rows.range, sizeOf)
    return { work: found.work + found.rows * changeWork, bytes: found.bytes }
  })

/** What is shown of so many new rows. */
export const effortOfShown = (db: CompanyStore, rows: RowsPlan, count: number): Soon<Effort> =>
  decide(db, rows, (sizeOf) => {
    const { work, bytes } = estimate(rows, { offset: 0, limit: count }, (resource) =>
      resource === rows.resource ? Math.max(count, sizeOf(resource)) : sizeOf(resource),
    )
    return { work: work + count * changeWork, bytes }
  })

function decide(db: CompanyStore, rows: RowsPlan, costWith: (sizeOf: SizeOf) => Cost): Soon<Effort> {
  const { isLong, isLarge } = effortOf(costWith(anySize))
  if (!isLong && !isLarge) return small
  return after(sizesOf(db, resourcesOf(rows)), effortWith, costWith)
}

const effortWith = (sizes: ReadonlyMap<Resource, number>, costWith: (sizeOf: SizeOf) => Cost): Effort =>
  effortOf(costWith((resource) => sizes.get(resource) ?? Number.POSITIVE_INFINITY))

function sizesOf(db: CompanyStore, resources: ReadonlySet<Resource>): Soon<ReadonlyMap<Resource, number>> {
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
