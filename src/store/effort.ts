import { memoize } from '../caches/memoize.ts'
import type { ReadPlan, RowsPlan, Scoped } from '../plan/plan.ts'
import { type Range, wholeRange } from '../request/parse-range.ts'
import { type Resource, typeOf } from '../resources/define.ts'
import { sizeMax } from './company-sizes.ts'
import type { CompanyStore } from './database.ts'
import { type Cost, estimate, resourcesOf, weighedValues } from './estimate.ts'
import { countedBytes, pageBytesMax, workMax } from './limits.ts'
import { type OwnBytes, shortRows } from './own-bytes.ts'
import { changeWeights, hasOwnFields, lookUpsWork, type Size, type SizeOf, weightOf } from './row-weights.ts'
import { after, type Soon } from './soon.ts'

/** How a statement has to be run. */
export interface Effort {
  /** It may take too long for the thread that serves requests. */
  readonly isLong: boolean
  /** Its result may exceed `pageBytesMax`. */
  readonly isLarge: boolean
}

/** The same of a write. */
export interface WriteEffort extends Effort {
  /** What it shows may take more than `countedBytes`. */
  readonly isCounted: boolean
}

const small: Effort = { isLong: false, isLarge: false }

const effortOf = ({ work, bytes }: Cost, most = workMax): Effort => ({
  isLong: work > most,
  isLarge: bytes > pageBytesMax,
})

const effortOfRows = (cost: Cost, most = workMax): WriteEffort => ({
  ...effortOf(cost, most),
  isCounted: cost.bytes > countedBytes,
})

/** A company without a bound on its rows, none of which is long. */
const anySize: SizeOf = () => ({ rows: Number.POSITIVE_INFINITY, own: shortRows })

/** Company sizes to try, largest first. The result holds for every company without long rows, so it can be cached with the plan. */
const sizesTried = [Number.POSITIVE_INFINITY, sizeMax, 1000, 100]

/** The page takes no more work than `most` for every company that has at most this many rows in each table, and no long ones. */
export function smallUpTo(plan: ReadPlan, range: Range, most: number): number {
  const costWith = readCost(plan, range)
  const costOfRows = (rows: number): Cost => costWith(() => ({ rows, own: shortRows }))
  return sizesTried.find((rows) => isSmall(effortOf(costOfRows(rows), most))) ?? 0
}

/** Whether a page is cheap, however many rows the company has, if none is long. */
export const isAlwaysSmall = (plan: ReadPlan, range: Range): boolean =>
  isSmall(effortOf(readCost(plan, range)(anySize)))

const isSmall = ({ isLong, isLarge }: Effort): boolean => !isLong && !isLarge

/** Whether what `isAlwaysSmall` says holds for every company: only companies with own fields have long rows. */
export const isAlwaysShort = (rows: RowsPlan): boolean => ownersOf(rows).length === 0

/** The resources that may have long rows. */
const ownersOf = memoize((rows: RowsPlan): readonly Resource[] => [...resourcesOf(rows)].filter(hasOwnFields))

/** The work that a page may be, and what is known of it: if no row is long, it is no more in companies with up to so many rows. */
interface Bound {
  readonly most: number
  readonly smallUpTo: number
}

/** For a page that is not always cheap: decides by the company's rows. */
export const effortOfRead = (
  db: CompanyStore,
  plan: ReadPlan,
  range: Range,
  bound: Bound = { most: workMax, smallUpTo: 0 },
): Soon<Effort> => after(areShort(db, plan.shared), effortOfPage, { db, plan, range, bound })

interface Page {
  readonly db: CompanyStore
  readonly plan: ReadPlan
  readonly range: Range
  readonly bound: Bound
}

function effortOfPage(isShort: boolean, { db, plan, range, bound: { most, smallUpTo } }: Page): Soon<Effort> {
  if (isShort && smallUpTo === Number.POSITIVE_INFINITY) return small
  const page = { costWith: readCost(plan, range), most, smallUpTo: isShort ? smallUpTo : -1 }
  return after(sizesOf(db, resourcesOf(plan.shared)), effortWithin, page)
}

interface PageCost extends Bound {
  readonly costWith: CostWith
}

const effortWithin = (sizes: Sizes, { costWith, most, smallUpTo }: PageCost): Effort =>
  sizes.values().every(({ rows }) => rows <= smallUpTo) ? small : effortOf(costOf(sizes, costWith), most)

/** Whether no row of the company is long. */
function areShort(db: CompanyStore, rows: RowsPlan): Soon<boolean> {
  for (const { name } of ownersOf(rows)) {
    const own = db.ownBytesOf(name)
    if (own instanceof Promise) return areAllShort(db, rows)
    if (!isOfShortRows(own)) return false
  }
  return true
}

const areAllShort = async (db: CompanyStore, rows: RowsPlan): Promise<boolean> =>
  (await Promise.all(ownersOf(rows).map(({ name }) => db.ownBytesOf(name)))).every(isOfShortRows)

const isOfShortRows = ({ longest }: OwnBytes): boolean => longest.length === 0

const readCost =
  (plan: ReadPlan, range: Range) =>
  (sizeOf: SizeOf): Cost => {
    const given = { sizeOf, values: weighedValues(plan) }
    const { work, bytes } = estimate(plan.shared, range, given)
    if (!plan.counted) return { work, bytes }
    const counted = estimate({ ...plan, selection: [], order: [] }, wholeRange, given)
    return { work: work + counted.work, bytes }
  }

/** The cost of adding a row, without returning it, if every value is as long as it may be. */
const insertWork = memoize(({ own }: Resource): number => {
  const bytes = (own?.columns ?? []).reduce((total, column) => total + typeOf(column).jsonBytesMax(column), 0)
  return rowWork + bytes * byteWork
})
const rowWork = 50
const byteWork = 0.05

type ScopedRows = RowsPlan & Scoped

/** For an update or a delete. The selection is what it returns of the rows. */
export const effortOfChange = (db: CompanyStore, rows: ScopedRows): Soon<WriteEffort> =>
  decide(db, rows, {
    most: db.workMax(),
    costWith: (sizeOf) => {
      const found = estimate(rows, rows.range, { sizeOf, values: weighedValues(rows) })
      const changed = weightOf(changeWeights(rows.resource), found.rows, sizeOf)
      return { work: found.work + found.rows * rowWork + changed, bytes: found.bytes }
    },
  })

/** For an insert of `count` rows that have to be read again to be shown. */
export const effortOfShown = (db: CompanyStore, rows: ScopedRows, count: number): Soon<WriteEffort> =>
  decide(db, rows, {
    most: workMax,
    costWith: (sizeOf) => {
      const withNew: SizeOf = (resource) => {
        const size = sizeOf(resource)
        return resource === rows.resource ? { ...size, rows: Math.max(count, size.rows) } : size
      }
      const given = { sizeOf: withNew, values: weighedValues(rows) }
      const { work, bytes } = estimate(rows, { offset: 0, limit: count }, given)
      const written = count * insertWork(rows.resource) + weightOf(changeWeights(rows.resource), count, sizeOf)
      return { work: work + written, bytes }
    },
  })

/** The same where all that is shown of them is known. */
export function effortOfKnown(rows: ScopedRows, count: number): WriteEffort {
  const given = { sizeOf: () => ({ rows: count, own: shortRows }), values: weighedValues(rows) }
  const { bytes } = estimate(rows, { offset: 0, limit: count }, given)
  return effortOfRows({ work: count * insertWork(rows.resource), bytes })
}

/** Whether it takes long to look up so many own fields in each row of a resource. */
export const isLongToLookUp = (db: CompanyStore, resource: Resource, fields: number): Soon<boolean> =>
  after(sizeOf(db, resource), (size) => lookUpsWork(size, fields) > workMax, null)

type CostWith = (sizeOf: SizeOf) => Cost

interface WriteCost {
  readonly most: number
  readonly costWith: CostWith
}

const decide = (db: CompanyStore, rows: RowsPlan, cost: WriteCost): Soon<WriteEffort> =>
  after(areShort(db, rows), decideWith, { db, rows, cost })

interface Decision {
  readonly db: CompanyStore
  readonly rows: RowsPlan
  readonly cost: WriteCost
}

function decideWith(isShort: boolean, { db, rows, cost }: Decision): Soon<WriteEffort> {
  const anywhere = isShort ? effortOfRows(cost.costWith(anySize), cost.most) : null
  if (anywhere && isSmall(anywhere)) return anywhere
  return after(sizesOf(db, resourcesOf(rows)), effortWith, cost)
}

type Sizes = ReadonlyMap<Resource, Size>

const effortWith = (sizes: Sizes, { most, costWith }: WriteCost): WriteEffort =>
  effortOfRows(costOf(sizes, costWith), most)

const costOf = (sizes: Sizes, costWith: CostWith): Cost =>
  costWith((resource) => sizes.get(resource) ?? anySize(resource))

function sizesOf(db: CompanyStore, resources: ReadonlySet<Resource>): Soon<Sizes> {
  const sizes = new Map<Resource, Size>()
  const found = [...resources].map((resource) =>
    after(sizeOf(db, resource), (size) => void sizes.set(resource, size), null),
  )
  return found.some((one) => one instanceof Promise) ? Promise.all(found).then(() => sizes) : sizes
}

const sizeOf = (db: CompanyStore, { name }: Pick<Resource, 'name'>): Soon<Size> =>
  after(db.ownBytesOf(name), (own) => after(db.sizeOf(name), sizeWith, own), null)

const sizeWith = (rows: number, own: OwnBytes): Size => ({
  rows: rows > sizeMax ? Number.POSITIVE_INFINITY : rows,
  own,
})
