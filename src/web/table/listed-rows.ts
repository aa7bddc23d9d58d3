import type { RowPage } from '../api.ts'
import { type Comparable, matches } from './filter.ts'
import type { TableColumn } from './table-column.ts'
import { pageSize, type TableView } from './table-view.ts'

/** The page of a list that is all in the browser: searched, filtered and sorted here. */
export function listedRows<Row>(
  all: readonly Row[],
  columns: readonly TableColumn<Row>[],
  view: TableView,
): RowPage<Row> {
  const found = sorted(
    all.filter((row) => isFound(row, columns, view)),
    columns,
    view,
  )
  const first = (view.page - 1) * pageSize
  return { rows: found.slice(first, first + pageSize), total: found.length }
}

function isFound<Row>(row: Row, columns: readonly TableColumn<Row>[], { search, filters }: TableView): boolean {
  const text = search.trim().toLowerCase()
  const isLike = ({ isSearched, value }: TableColumn<Row>) =>
    isSearched &&
    String(value?.(row) ?? '')
      .toLowerCase()
      .includes(text)
  if (text !== '' && !columns.some(isLike)) return false
  return filters.every((filter) => {
    const column = columns.find(({ id }) => id === filter.column)
    return !column?.filter || !column.value || matches(filter, column.filter, column.value(row))
  })
}

function sorted<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], { sort }: TableView): readonly Row[] {
  const value = columns.find(({ id }) => id === sort?.column)?.value
  if (!sort || !value) return rows
  const sign = sort.direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * compare(value(one), value(other)))
}

/** Nothing comes after everything. */
function compare(one: Comparable, other: Comparable): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  if (typeof one === 'string' && typeof other === 'string') return order.compare(one, other)
  return Number(one) - Number(other)
}

const order = new Intl.Collator(undefined, { numeric: true })
