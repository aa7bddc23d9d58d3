import { memoize } from '../../memoize.ts'
import { placeOf } from '../../plan/mark.ts'
import type { ReadPlan, RowsPlan, Shape } from '../../plan/plan.ts'
import type { Range } from '../../request/parse-range.ts'
import type { Dialect } from '../database.ts'
import { smallUpTo } from '../effort.ts'
import { render, Sql, type Value } from '../sql.ts'
import { compilePage } from './compile.ts'

/** The SQL of all plans of one shape, and what goes into each of its holes. */
interface Compiled {
  readonly texts: readonly string[]
  readonly rendered: string
  readonly holes: readonly ((companyId: string, values: Shape['values']) => Value)[]
  readonly smallUpTo: number
}

/** A shape holds no value and no company, so whoever asks may use what was compiled for it. */
const compiledOf = memoize((_: Dialect) => memoize((_: RowsPlan) => new Map<string, Compiled>()))
/** Pages of one list that are asked for by a header are of one shape, too. */
const pagesMax = 20
/** What is longer takes up more room than it saves time. */
const keptLengthMax = 4000

export interface CompiledPage {
  readonly statement: Sql
  /** It is, where no table of the company has more rows than this. */
  readonly smallUpTo: number
}

/** `compilePage` of a part of the plan's rows, once for all plans that differ in their values alone. */
export function compilePageOnce(plan: ReadPlan, range: Range, dialect: Dialect): CompiledPage {
  if (plan.shape === null)
    return { statement: compilePage({ ...plan, range }, dialect), smallUpTo: smallUpTo(plan, range) }
  const { rows, values } = plan.shape
  const pages = compiledOf(dialect)(rows)
  const page = `${range.limit} ${range.offset} ${plan.counted}`
  let compiled = pages.get(page)
  if (compiled === undefined) {
    compiled = compileShape({ ...plan, range }, dialect)
    if (pages.size >= pagesMax) pages.clear()
    if (compiled.rendered.length <= keptLengthMax) pages.set(page, compiled)
  }
  const filled = compiled.holes.map((hole) => hole(plan.companyId, values))
  return { statement: new Sql(compiled.texts, filled, compiled.rendered), smallUpTo: compiled.smallUpTo }
}

const anyCompany = 'any company'

function compileShape(plan: ReadPlan, dialect: Dialect): Compiled {
  const compiled = compilePage({ ...plan, companyId: anyCompany }, dialect)
  return {
    texts: compiled.texts,
    rendered: render(compiled, dialect.placeholder),
    holes: compiled.values.map(holeOf),
    smallUpTo: smallUpTo(plan, plan.range),
  }
}

function holeOf(value: Value): Compiled['holes'][number] {
  if (value === anyCompany) return (companyId) => companyId
  const at = placeOf(value)
  return at === null ? () => value : (_, values) => values[at] ?? null
}
