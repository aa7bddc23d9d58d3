import { memoize } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import type { OrderTerm } from '../request/parse-order.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import type { CastName } from '../types/column-type.ts'
import { castType } from '../types/find-cast.ts'
import type { Embed, Field, Order, Selected } from './plan.ts'
import { embedsOf, isGrouped } from './selection.ts'

/** Pages are stable only if no two rows are equal: the primary key comes last. */
export function planOrder(
  resource: Resource,
  terms: readonly OrderTerm[],
  selection: readonly Selected[],
): readonly Order[] {
  const order = terms.map((term) => planTerm(resource, term, selection)).filter(isFirstOfIts)
  if (isGrouped(selection)) return order.map((term) => refuseUngrouped(resource, term, selection))
  if (order.length === 0) return byKey(resource)
  if (order.some(({ column, via }) => column === resource.primaryKey && via === null)) return order
  return [...order, ...byKey(resource)]
}

function planTerm(resource: Resource, term: OrderTerm, selection: readonly Selected[]): Order {
  const { descending, nullsFirst } = term
  if (term.relation === null)
    return { column: orderedColumn(resource, term.column, null), ...asStored, via: null, descending, nullsFirst }
  const via = embedsOf(selection).find((embed) => embed.key === term.relation)
  if (!via) throw failure.notEmbedded(term.relation)
  if (via.relation.many) throw failure.relatedOrderImpossible(resource.name, via.key)
  const shown = shownField(via, term.column)
  const cast = shown?.cast ?? null
  const column = orderedColumn(via.relation.target, shown?.column?.name ?? term.column, cast)
  return { column, cast, zone: shown?.zone ?? null, via, descending, nullsFirst }
}

const asStored = { cast: null, zone: null } as const

/** What an embed shows under a name: an order may go by its alias. */
const shownField = ({ plan }: Embed, key: string): Field | undefined =>
  plan.selection
    .filter((selected) => selected.kind === 'field')
    .find((field) => field.key === key && field.aggregate === null)

function orderedColumn(resource: Resource, name: string, cast: CastName | null): Column {
  const column = findColumn(resource, name)
  const type = castType(typeOf(column), cast)
  if (type && !type.isOrdered) throw failure.orderImpossible(type.name)
  return column
}

/** Rows that are equal in something stay equal in it: the same once more changes nothing. */
const isFirstOfIts = ({ column, cast, via }: Order, at: number, order: readonly Order[]): boolean =>
  order.findIndex((other) => other.column === column && other.cast === cast && other.via === via) === at

/** Groups have an order only by what they are grouped by. */
function refuseUngrouped(resource: Resource, order: Order, selection: readonly Selected[]): Order {
  const { column, via } = order
  const keys = via === null ? selection : via.spread ? via.plan.selection : []
  const isKey = keys.some((one) => one.kind === 'field' && !one.aggregate && one.column === column)
  if (!isKey) throw failure.notGrouped(`${(via?.relation.target ?? resource).name}.${column.name}`)
  return order
}

const byKey = memoize(({ primaryKey }: Resource): readonly Order[] => [
  { column: primaryKey, ...asStored, via: null, descending: false, nullsFirst: false },
])
