import { memoize } from '../caches/memoize.ts'
import type { Condition, RowsPlan, Selected } from '../plan/plan.ts'
import type { Operand } from '../request/operand.ts'
import { listingWork } from './comparison-work.ts'
import { innerEmbeds } from './reach.ts'

type Operands = readonly Operand[]

/** The work to make the lists that a statement compares with: once for each place in which they stand, however few rows there are. */
export const listsWork = (plan: RowsPlan, values: Operands): number => (values.length === 0 ? 0 : allWith(values)(plan))

const allWith = memoize((values: Operands) =>
  memoize((plan: RowsPlan): number =>
    sum([
      matchingWith(values)(plan),
      ...plan.order.map(({ via }) => (via ? matchingWith(values)(via.plan) : 0)),
      ...plan.selection.map((selected) => selectedLists(selected, values)),
    ]),
  ),
)

/** Of what decides whether a row matches. */
const matchingWith = memoize((values: Operands) =>
  memoize((plan: RowsPlan): number =>
    sum([
      ...plan.where.map((condition) => conditionLists(condition, values)),
      ...innerEmbeds(plan).map((embed) => matchingWith(values)(embed.plan)),
    ]),
  ),
)

/** What is spread is looked up anew for each of its columns. */
function selectedLists(selected: Selected, values: Operands): number {
  if (selected.kind === 'field') return 0
  const { plan, spread } = selected
  return allWith(values)(plan) * (spread ? plan.selection.length : 1)
}

function conditionLists(condition: Condition, values: Operands): number {
  switch (condition.kind) {
    case 'comparison':
      return listingWork(condition, values)
    case 'is':
      return 0
    case 'related':
      return matchingWith(values)(condition.embed.plan)
    default:
      return sum(condition.conditions.map((one) => conditionLists(one, values)))
  }
}

const sum = (works: readonly number[]): number => works.reduce((all, one) => all + one, 0)
