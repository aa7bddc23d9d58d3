import { memoize } from '../memoize.ts'
import { emptyLevel } from '../request/level.ts'
import type { Form, Query } from '../request/parse-query.ts'
import type { Resource } from '../resources/define.ts'
import { limitQuerySize } from './limit-query-size.ts'
import { placeOf } from './mark.ts'
import type { Comparison, Condition, Embed, Order, ReadPlan, RowsPlan, Selected, Shape } from './plan.ts'
import { planOperand } from './plan-condition.ts'
import { planRows } from './plan-read.ts'
import { preparePatterns } from './prepare-patterns.ts'
import { resolveLevels } from './resolve-levels.ts'

interface Planned {
  readonly rows: RowsPlan
  readonly shape: Shape | null
}

/** Where a form is shared, all that does not depend on the values is planned once for all who ask so. */
export function planQuery({ form, values }: Query, resource: Resource, rowsMax: number | null): Planned {
  if (!form.isShared) return { rows: planForm(form, resource, rowsMax), shape: null }
  const { rows, comparisons } = findTemplate(form, resource, rowsMax)
  const checked = comparisons.map((one, at) => planOperand(one.column, one.operator, values[at] ?? ''))
  return { rows, shape: { rows, values: checked } }
}

/** Rows with marks in the place of values, and the comparison that each value is for. It holds no value and no company. */
interface Template {
  readonly rows: RowsPlan
  readonly comparisons: readonly Comparison[]
}

const templates = memoize((_: Form) => memoize((_: Resource) => new Map<number | null, Template>()))

function findTemplate(form: Form, resource: Resource, rowsMax: number | null): Template {
  const known = templates(form)(resource)
  const template = known.get(rowsMax) ?? makeTemplate(planForm(form, resource, rowsMax))
  known.set(rowsMax, template)
  return template
}

function planForm({ select, levels }: Form, resource: Resource, rowsMax: number | null): RowsPlan {
  const level = levels.get('') ?? emptyLevel
  const rows = planRows({ resource, select, level, levels: resolveLevels(levels, select), path: '', rowsMax })
  limitQuerySize(rows)
  preparePatterns(rows)
  return rows
}

function makeTemplate(rows: RowsPlan): Template {
  const comparisons: Comparison[] = []
  const collect = ({ where, selection }: RowsPlan): void => {
    for (const one of where) if (one.kind === 'comparison') comparisons[placeOf(one.operands[0]) ?? 0] = one
    for (const selected of selection) if (selected.kind === 'embed') collect(selected.plan)
  }
  collect(rows)
  return { rows, comparisons }
}

/** The same plan with its values in the place of their marks: few reads ever need that. */
export function withValues(plan: ReadPlan): ReadPlan {
  if (plan.shape === null || plan.shape.values.length === 0) return plan
  const { where, selection, order } = fill(plan.shape.rows, plan.shape.values)
  return { ...plan, where, selection, order, shape: null }
}

function fill(rows: RowsPlan, values: readonly string[]): RowsPlan {
  const where = rows.where.map((one) => fillCondition(one, values))
  if (!rows.selection.some(hasMarks)) return { ...rows, where }
  const embeds = new Map<Embed, Embed>()
  const selection = rows.selection.map((selected) => {
    if (selected.kind === 'field') return selected
    const embed = { ...selected, plan: fill(selected.plan, values) }
    embeds.set(selected, embed)
    return embed
  })
  const order = rows.order.map((term): Order => ({ ...term, via: term.via && (embeds.get(term.via) ?? null) }))
  return { ...rows, selection, where, order }
}

const hasMarks = (selected: Selected): boolean =>
  selected.kind === 'embed' && (selected.plan.where.length > 0 || selected.plan.selection.some(hasMarks))

function fillCondition(condition: Condition, values: readonly string[]): Condition {
  if (condition.kind !== 'comparison') return condition
  return { ...condition, operands: [values[placeOf(condition.operands[0]) ?? 0] ?? ''] }
}
