import { memoize } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import type { Condition, Embed, Narrowed, RowsPlan, Selected } from './plan.ts'

/** What a statement names and compares, and so how long an engine thinks about it before it reads a row. */
interface Size {
  readonly tables: number
  readonly conditions: number
}

/** PostgreSQL plans so many within a tenth of a second; from there, each one more can double its time. */
const tablesMax = 25
const conditionsMax = 1000

/**
 * Refuses rows whose statement would be out of all proportion to the request: wherever an embed is asked about, its
 * filters stand in the statement once more, and those of all that is embedded in it, so that few words become millions.
 */
export function limitQuerySize(rows: RowsPlan): void {
  const { tables, conditions } = sum([sizeOfOwn(rows), ...rows.selection.map(sizeOfSelected)])
  if (tables > tablesMax)
    throw failure.tooMuch('tables', tablesMax, 'Embed less, or filter and order by fewer of the embeds.')
  if (conditions > conditionsMax)
    throw failure.tooMuch(
      'conditions',
      conditionsMax,
      'Those of an embed count wherever it is filtered or ordered by. Send fewer.',
    )
}

const sizeOfOwn = (rows: RowsPlan): Size =>
  sum([
    { tables: 1, conditions: 1 },
    sizeOfWhere(rows, rows.selection),
    ...rows.order.flatMap(({ via }) => (via ? sizeOfMatch(via) : [])),
  ])

const sizeOfWhere = ({ where }: Narrowed, selection: readonly Selected[]): Size =>
  sum([
    ...where.map(sizeOfCondition),
    ...selection.flatMap((selected) => (selected.kind === 'embed' && selected.inner ? sizeOfMatch(selected) : [])),
  ])

function sizeOfCondition(condition: Condition): Size {
  if (condition.kind === 'comparison' || condition.kind === 'is') return { tables: 0, conditions: 1 }
  return condition.kind === 'related' ? sizeOfMatch(condition.embed) : sum(condition.conditions.map(sizeOfCondition))
}

/** Whether an embed has a row. Found out once for each, as it may be asked about more often than can be counted through. */
const sizeOfMatch = memoize(
  ({ plan }: Embed): Size => sum([{ tables: 1, conditions: 1 }, sizeOfWhere(plan, plan.selection)]),
)

function sizeOfSelected(selected: Selected): Size {
  if (selected.kind === 'field') return none
  const { tables, conditions } = sizeOfOwn(selected.plan)
  const times = columnsOf(selected)
  const own = { tables: tables * times, conditions: conditions * times }
  return sum([own, ...selected.plan.selection.map(sizeOfSelected)])
}

/** What is spread is looked up anew for each of its columns. */
const columnsOf = (selected: Selected): number =>
  selected.kind === 'embed' && selected.spread
    ? selected.plan.selection.reduce((columns, one) => columns + columnsOf(one), 0)
    : 1

const none: Size = { tables: 0, conditions: 0 }

const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce((all, one) => ({ tables: all.tables + one.tables, conditions: all.conditions + one.conditions }), none)
