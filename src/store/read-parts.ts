import type { ReadPlan } from '../plan/plan.ts'
import type { Range } from '../request/parse-range.ts'
import { compilePart, compileRows, countMany, hasKeys } from './compile/compile.ts'
import type { CompanyStore, Right, Row, Rows } from './database.ts'
import { effortOfRead, isAlwaysShort, isAlwaysSmall } from './effort.ts'
import { pageBytesMax, pageRows, partBytesMax, workMax } from './limits.ts'
import { textOf } from './result.ts'
import { fill } from './sql.ts'

/** Small enough for many slow clients at the same time. */
const partRows = 500
/** Without an index for the order, every part needs a full sort, so fewer and larger parts are better. */
const sortedPartRows = 16 * pageRows
/** If rows may be large, the first read asks for a few, and each further one for as many as should fit, but not for much more. */
const rowsAtFirst = 64
/** With what is embedded in them, they may be much larger. */
const embeddingAtFirst = 8
const growthMax = 8

/** Some rows of a list, each with its text and the values it is ordered by. */
export interface ReadRows {
  readonly rows: Rows
  /** Nothing comes behind them. */
  readonly isLast: boolean
}

interface Reading {
  readonly behind: readonly string[] | null
  readonly bytesMax: number
  /** How many rows should fit, by those before. */
  readonly expected?: number | undefined
}

/** How many rows of about such a size fit, so that one read is enough for most. */
const rowsFor = (room: number, bytesEach: number): number => Math.ceil((1.25 * room) / bytesEach) + 1

/** The rows of the plan's range that follow a row, as many as fit. */
export async function readRows(
  db: CompanyStore,
  plan: ReadPlan,
  { behind, bytesMax, expected }: Reading,
): Promise<ReadRows> {
  const limit = plan.range.limit ?? sortedPartRows
  const rows: Row[] = []
  let bytes = 0
  const isEmbedding = countMany(plan) > 0
  const atFirst = expected ?? (isEmbedding ? embeddingAtFirst : rowsAtFirst)
  let step = db.dialect.stopsWithin && !isEmbedding ? limit : atFirst
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
    step = Math.min(growthMax * step, rowsFor(bytesMax - bytes, bytes / rows.length))
  }
  return { rows, isLast: false }
}

/** Behind a row, nothing has to be skipped. */
const offsetOf = (plan: ReadPlan, read: number, behind: readonly string[] | null): number =>
  hasKeys(plan) && (behind !== null || read > 0) ? 0 : plan.range.offset + read

const keysOf = ({ order }: ReadPlan, rows: Rows): readonly string[] =>
  (rows.at(-1) ?? []).slice(1, order.length + 1).map(String)

/** Each part is a separate statement, so that a slow client keeps nothing open in the database. */
export async function* stream(db: CompanyStore, plan: ReadPlan, right: Right | undefined): AsyncGenerator<string> {
  const { limit, offset } = plan.range
  const isInOrder = isInKeyOrder(plan)
  let left = limit ?? Number.POSITIVE_INFINITY
  let read = 0
  let after: readonly string[] | null = null
  let expected: number | undefined
  while (left > 0) {
    const isPlain = isInOrder && (await isSmallPart(db, plan))
    const partMax = isPlain ? partRows : sortedPartRows
    const range: Range = { limit: Math.min(left, partMax), offset: after ? 0 : offset + read }
    const part: Part = await (isPlain ? readPart : readBounded)(db, { ...plan, range }, after, expected)
    const { text, count, last, isLast } = part
    // A part may have waited, or have taken long to read.
    await right?.()
    if (count > 0) yield text
    if (isLast) return
    left -= count
    read += count
    expected = count
    after = hasKeys(plan) ? last : null
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
  const bound = { most: workMax, smallUpTo: Number.POSITIVE_INFINITY }
  const { isLong } = await effortOfRead(db, { ...plan, counted: false }, part, bound)
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

async function readBounded(
  db: CompanyStore,
  plan: ReadPlan,
  behind: readonly string[] | null,
  expected: number | undefined,
): Promise<Part> {
  const { rows, isLast } = await readRows(db, plan, { behind, bytesMax: partBytesOf(plan), expected })
  return { text: textOf(rows), count: rows.length, last: keysOf(plan, rows), isLast }
}

/** How long one part of a stream may be, if rows may be large. */
export const partBytesOf = (plan: ReadPlan): number => (isByKey(plan) ? partBytesMax : pageBytesMax)
