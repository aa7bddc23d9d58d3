import { onceForEach, onceForEachText } from '../../once-for-each.ts'
import type { Condition, Embed, Field, Order, ReadPlan, RowsPlan, Selected } from '../../plan/plan.ts'
import type { OperatorName } from '../../resources/operators.ts'
import type { Dialect } from '../database.ts'
import { render, Sql, type Value } from '../sql.ts'
import { compilePage } from './compile.ts'

/** The SQL of all plans that differ in their values alone. For each hole: which of the values goes there, or a number of the shape. */
interface Shape {
  readonly texts: readonly string[]
  readonly rendered: string
  readonly holes: readonly (number | { readonly at: number })[]
}

/** As many as the engines keep prepared. A shape holds no value and no company, so whoever asks may use it. */
const shapesMax = 500
const shapesOf = onceForEach((_: Dialect) => new Map<string, Shape | null>())

/** `compilePage` at the price of naming the plan's shape, where the same shape was asked for before. */
export function compilePageOnce(plan: ReadPlan, dialect: Dialect): Sql {
  const values = [plan.companyId]
  const rows = nameOf(plan, values)
  const name = rows && `${plan.counted} ${rows}`
  const shape = name === null ? null : findShape(name, plan, dialect)
  if (shape === null) return compilePage(plan, dialect)
  const filled = shape.holes.map((hole) => (typeof hole === 'number' ? hole : (values[hole.at] ?? null)))
  return new Sql(shape.texts, filled, shape.rendered)
}

function findShape(name: string, plan: ReadPlan, dialect: Dialect): Shape | null {
  const shapes = shapesOf(dialect)
  const known = shapes.get(name)
  if (known !== undefined) return known
  const made = makeShape(plan, dialect)
  if (shapes.size >= shapesMax) shapes.clear()
  shapes.set(name, made)
  return made
}

/** No name in a plan has this sign in it. */
const between = '\0'

/** With any other operator, the SQL may depend on the operand. */
const plainOperators: ReadonlySet<OperatorName> = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'])

/** All that the SQL of a read depends on but its values, which are put apart. null where it depends on these, too. */
function nameOf({ resource, selection, where, order, range }: RowsPlan, values: string[]): string | null {
  let name = `${resource.name} ${range.limit} ${range.offset} ${where.length}`
  for (const condition of where) {
    const part = conditionName(condition, values)
    if (part === null) return null
    name += between + part
  }
  for (const { column, via, descending, nullsFirst } of order)
    name += `${between}${via?.key ?? ''}${between}${column.name} ${descending} ${nullsFirst}`
  const shown = isFixed(selection) ? fixedName(selection) : selectionName(selection, values)
  return shown === null ? null : name + between + shown
}

/** Whether there is no value in a selection. Most are one and the same object then, for all who ask for it. */
const isFixed = (selection: readonly Selected[]): boolean =>
  selection.every(
    (selected) => selected.kind === 'field' || (selected.plan.where.length === 0 && isFixed(selected.plan.selection)),
  )

/** A number is found faster than all of the names that it stands for. */
const fixedName = onceForEach((selection: readonly Selected[]) => numberOf(selectionName(selection, []) ?? ''))
const numberOf = onceForEachText(() => String(++numbers))
let numbers = 0

function selectionName(selection: readonly Selected[], values: string[]): string | null {
  let name = String(selection.length)
  for (const selected of selection) {
    const part = selected.kind === 'field' ? fieldName(selected) : embedName(selected, values)
    if (part === null) return null
    name += between + part
  }
  return name
}

const fieldName = ({ key, column, cast, aggregate, aggregateCast }: Field): string =>
  `${key}${between}${column?.name} ${cast} ${aggregate} ${aggregateCast}`

function embedName({ key, relation, inner, spread, plan }: Embed, values: string[]): string | null {
  const rows = nameOf(plan, values)
  return rows && `${key}${between}${relation.own.name} ${relation.other.name} ${inner} ${spread} ${rows}`
}

function conditionName(condition: Condition, values: string[]): string | null {
  if (condition.kind !== 'comparison' || condition.quantifier || !plainOperators.has(condition.operator)) return null
  values.push(condition.operands[0] ?? '')
  return `${condition.column.name} ${condition.negated} ${condition.operator}`
}

/** Compiles the plan with a mark in the place of each value, to see where it ends up. */
function makeShape(plan: ReadPlan, dialect: Dialect): Shape | null {
  let marks = 0
  const nextMark = () => `${between}${marks++}`
  const companyId = nextMark()
  const compiled = compilePage({ ...plan, ...marked(plan, nextMark), companyId }, dialect)
  const holes = compiled.values.map(holeOf)
  if (!holes.every((hole) => hole !== null)) return null
  return { texts: compiled.texts, rendered: render(compiled, dialect.placeholder), holes }
}

function holeOf(value: Value): Shape['holes'][number] | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.startsWith(between) ? { at: Number(value.slice(1)) } : null
}

/** The marks come in the order in which `nameOf` puts the values apart. */
function marked(plan: RowsPlan, nextMark: () => string): RowsPlan {
  const where = plan.where.map((one) => (one.kind === 'comparison' ? { ...one, operands: [nextMark()] } : one))
  const embeds = new Map<Embed, Embed>()
  const selection = plan.selection.map((selected) => {
    if (selected.kind === 'field') return selected
    const embed = { ...selected, plan: marked(selected.plan, nextMark) }
    embeds.set(selected, embed)
    return embed
  })
  const order = plan.order.map((term): Order => ({ ...term, via: term.via && (embeds.get(term.via) ?? null) }))
  return { ...plan, selection, where, order }
}
