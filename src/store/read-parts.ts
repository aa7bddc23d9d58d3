import type { ReadPlan } from '../plan/plan.ts'
import { compilePart, compileRows, countMany, hasKeys } from './compile/compile.ts'
import type { CompanyStore, Right, Row, Rows } from './database.ts'
import { effortOfRead, isAlwaysShort, isAlwaysSmall } from './effort.ts'
import { pageBytesMax, pageRows, partBytesMax } from './limits.ts'
import { textOf } from './result.ts'
import { fill } from './sql.ts'

/** Small enough for many slow clients at the same time. */
const partRows = 500
/** Without an index for the order, every part needs a full sort, so fewer and larger parts are better. */
const sortedPartRows = 16 * pageRows
/** If single rows may be large, the first read asks for a few rows, and each further read for more. */
const rowsAtFirst = 8

/** Some rows of a list, each with its text and the values it is ordered by. */
export interface ReadRows {
  readonly rows: Rows
  /** Nothing comes behind them. */
  readonly isLast: boolean
}

/** The rows of the plan's range that follow a row, as many as fit. */
export async function readRows(
  db: CompanyStore,
  plan: ReadPlan,
  { behind, bytesMax }: { readonly behind: readonly string[] | null; readonly bytesMax: number },
): Promise<ReadRows> {
  const limit = plan.range.limit ?? sortedPartRows
  const rows: Row[] = []
  let bytes = 0
  let step = countMany(plan) === 0 ? limit : rowsAtFirst
  while (rows.length < limit) {
    const range = { limit: Math.min(step, limit - rows.length), offset: offsetOf(plan, rows.length, behind) }
    const after = rows.length > 0 && hasKeys(plan) ? keysOf(plan, rows) : behind
    const room = bytesMax - bytes
    const statement = db.dialect.within(compileRows({ ...plan, range }, db.dialect, after), room)
    const found = await db.readWithin(fill(statement, plan.values), room)
    rows.push(...found)
    bytes += found.reduce((sum, [text]) => sum + Buffer.byteLength(String(text)), 0)
    if (bytes > bytesMax) return { rows, isLast: false }
    if (found.length < range.limit) return { rows, isLast: true }
    step *= 2
  }
  return { rows, isLast: false }
}

/** Behind a row, nothing has to be skipped. */
const offsetOf = (plan: ReadPlan, read: number, behind: readonly string[] | null): number =>
  hasKeys(plan) && (behind !== null || read > 0) ? 0 : plan.range.offset + read

const keysOf = ({ order }: ReadPlan, rows: Rows): readonly string[] =>
  (rows.at(-1) ?? []).slice(1, order.length + 1).map(String)

export interface Streaming {
  readonly db: CompanyStore
  readonly plan: ReadPlan
  readonly right: Right | undefined
  /** What has been read of it already. */
  readonly begun: ReadRows | null
}

/** Each part is a separate statement, so that a slow client keeps nothing open in the database. */
export async function* stream({ db, plan, right, begun }: Streaming): AsyncGenerator<string> {
  const { limit, offset } = plan.range
  const isInOrder = begun === null && isInKeyOrder(plan)
  let left = limit ?? Number.POSITIVE_INFINITY
  let read = 0
  let after: readonly string[] | null = null
  let part: Part | null = begun && partOf(plan, begun)
  while (left > 0) {
    if (part === null) {
      await right?.()
      const isPlain = isInOrder && (await isSmallPart(db, plan))
      const partMax = isPlain ? partRows : sortedPartRows
      const range = { limit: Math.min(left, partMax), offset: after ? 0 : offset + read }
      part = await (isPlain ? readPart : readBounded)(db, { ...plan, range }, after)
    }
    if (part.count > 0) yield part.text
    if (part.isLast) return
    left -= part.count
    read += part.count
    after = hasKeys(plan) ? part.last : null
    part = null
  }
}

const isByKey = ({ order, resource }: ReadPlan): boolean =>
  order.length === 1 && order[0]?.column === resource.primaryKey && order[0].via === null

/** Whether parts are small and can be read in the order of the primary key. */
const isInKeyOrder = (plan: ReadPlan): boolean =>
  isByKey(plan) && isAlwaysSmall({ ...plan, counted: false }, { limit: partRows, offset: plan.range.offset })

/** Rows may have become longer since the part before. */
async function isSmallPart(db: CompanyStore, plan: ReadPlan): Promise<boolean> {
  if (isAlwaysShort(plan.shared)) return true
  const part = { limit: partRows, offset: plan.range.offset }
  const { isLong } = await effortOfRead(db, { ...plan, counted: false }, part, Number.POSITIVE_INFINITY)
  return !isLong
}

interface Part {
  readonly text: string
  readonly count: number
  /** The values by which the last row is ordered. */
  readonly last: readonly string[]
  readonly isLast: boolean
}

async function readPart(db: CompanyStore, plan: ReadPlan, after: readonly string[] | null): Promise<Part> {
  const [[text, count, last] = []] = await db.readPart(fill(compilePart(plan, db.dialect, after), plan.values))
  const isLast = Number(count) < (plan.range.limit ?? 0)
  return { text: String(text), count: Number(count), last: [String(last)], isLast }
}

async function readBounded(db: CompanyStore, plan: ReadPlan, after: readonly string[] | null): Promise<Part> {
  const bytesMax = isByKey(plan) ? partBytesMax : pageBytesMax
  return partOf(plan, await readRows(db, plan, { behind: after, bytesMax }))
}

const partOf = (plan: ReadPlan, { rows, isLast }: ReadRows): Part => ({
  text: textOf(rows),
  count: rows.length,
  last: keysOf(plan, rows),
  isLast,
})
