import type { Comparable } from './filter.ts'
import type { Direction } from './table-column.ts'

/** By their values; those without one come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => Comparable,
  direction: Direction,
): readonly Row[] {
  const sign = direction === 'asc' ? 1 : -1
  const empty = rows.filter((row) => value(row) === null)
  const filled = rows.filter((row) => value(row) !== null)
  return [...filled.sort((one, other) => sign * compare(value(one), value(other))), ...empty]
}

function compare(one: Comparable, other: Comparable): number {
  if (typeof one === 'string' && typeof other === 'string') return order.compare(one, other)
  return Number(one) - Number(other)
}

const order = new Intl.Collator(undefined, { numeric: true })
