import { failure } from '../errors.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { withValues } from '../plan/plan-query.ts'
import { after, type Soon } from '../soon.ts'
import { compilePage, compilePart, hasKeys } from './compile/compile.ts'
import { compilePageOnce } from './compile/shape.ts'
import { type CompanyStore, type Right, type Rows, rowSeparator } from './database.ts'
import { nothing, type Result, textOf, versionOf } from './result.ts'

/** A list up to this long is one statement and one piece of text; a longer one is streamed. */
const pageRows = 1000
/** Small enough for many clients that take theirs slowly. */
const partRows = 500

export function executeRead(db: CompanyStore, plan: ReadPlan, right?: Right): Soon<Result> {
  const { limit, offset } = plan.range
  const wanted = limit ?? Number.POSITIVE_INFINITY
  // One row more than is shown tells whether there are more.
  const asked = Math.min(wanted, pageRows) + 1
  const page = db.read(compilePageOnce(plan, { limit: asked, offset }, db.dialect))
  return after(page, resultOf, { db, plan, right, wanted, asked })
}

interface Asked {
  readonly db: CompanyStore
  readonly plan: ReadPlan
  readonly right: Right | undefined
  /** How many rows, at the most, by the client and of the engine. */
  readonly wanted: number
  readonly asked: number
}

function resultOf([first = []]: Rows, question: Asked): Soon<Result> {
  const { plan, wanted, asked } = question
  const [text, found = 0, total] = first
  const rows = String(text ?? '')
  const known = total === null || total === undefined ? null : Number(total)
  const count = Number(found)
  const shownCount = Math.min(count, wanted)
  if (plan.single && shownCount !== 1) throw failure.notSingle(shownCount)
  if (count < asked) return { ...nothing, text: rows, version: versionOf(rows), count, total: known }
  if (wanted > pageRows) return streamed(question, known)
  const shown = rows.slice(0, Math.max(0, rows.lastIndexOf(rowSeparator)))
  return { ...nothing, text: shown, version: versionOf(shown), count: count - 1, total: known, more: true }
}

/** How many rows there will be is only known where there are more than were asked for. */
async function streamed({ db, right, wanted, ...asked }: Asked, total: number | null): Promise<Result> {
  const plan = withValues(asked.plan)
  const more = Number.isFinite(wanted) && (await hasRowAt(db, plan, plan.range.offset + wanted))
  return { ...nothing, count: more ? wanted : Number.POSITIVE_INFINITY, total, more, parts: stream(db, plan, right) }
}

async function hasRowAt(db: CompanyStore, plan: ReadPlan, offset: number): Promise<boolean> {
  const [[, found = 0] = []] = await db.read(
    compilePage({ ...plan, counted: false, range: { limit: 1, offset } }, db.dialect),
  )
  return Number(found) === 1
}

/** Each part is a statement of its own, so that a slow reader holds nothing open in the database. */
async function* stream(db: CompanyStore, plan: ReadPlan, right?: Right): AsyncGenerator<string> {
  const byKeys = hasKeys(plan)
  // Where no index gives the order, every part costs a whole sort: fewer and larger ones are better.
  const rowsMax = plan.order[0]?.column === plan.resource.primaryKey && byKeys ? partRows : 16 * pageRows
  let left = plan.range.limit ?? Number.POSITIVE_INFINITY
  let offset = plan.range.offset
  let after: readonly string[] | null = null
  while (left > 0) {
    const range = { limit: Math.min(left, rowsMax), offset: after ? 0 : offset }
    await right?.()
    const part: Part = await readPart(db, { ...plan, range }, after)
    if (part.count > 0) yield part.text
    if (part.count < range.limit) return
    left -= part.count
    offset += part.count
    after = byKeys ? part.last : null
  }
}

/** Some rows of a long list, and what the order goes by of the last one. */
interface Part {
  readonly text: string
  readonly count: number
  readonly last: readonly string[]
}

async function readPart(db: CompanyStore, plan: ReadPlan, after: readonly string[] | null): Promise<Part> {
  const { statement, isWhole } = compilePart(plan, db.dialect, after)
  const rows: Rows = await db.readPart(statement)
  if (!isWhole) return { text: textOf(rows), count: rows.length, last: (rows.at(-1) ?? []).slice(1).map(String) }
  const [[text, count, ...last] = []] = rows
  return { text: String(text), count: Number(count), last: last.map(String) }
}
