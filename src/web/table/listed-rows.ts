import type { RowPage } from '../api.ts'
import { matches } from './filter.ts'
import { sortRows } from './sort-rows.ts'
import type { TableColumn } from './table-column.ts'
import { pageSize, type TableView } from './table-view.ts'

/** The page of a list that is all in the browser: searched, filtered and sorted here. */
export function listedRows<Row>(
  all: readonly Row[],
  columns: readonly TableColumn<Row>[],
  view: TableView,
): RowPage<Row> {
  const { sort } = view
  const found = all.filter((row) => isFound(row, columns, view))
  const value = columns.find(({ id }) => id === sort?.column)?.value
  const sorted = sort && value ? sortRows(found, value, sort.direction) : found
  const first = (view.page - 1) * pageSize
  return { rows: sorted.slice(first, first + pageSize), total: found.length }
}

function isFound<Row>(row: Row, columns: readonly TableColumn<Row>[], { search, filters }: TableView): boolean {
  const text = search.trim().toLowerCase()
  const isLike = ({ isSearched, searchedFor, value }: TableColumn<Row>) =>
    isSearched &&
    (searchedFor?.test(text) ?? true) &&
    String(value?.(row) ?? '')
      .toLowerCase()
      .includes(text)
  if (text !== '' && !columns.some(isLike)) return false
  return filters.every((filter) => {
    const column = columns.find(({ id }) => id === filter.column)
    if (column?.fits) return column.fits(row, filter.value)
    return !column?.filter || !column.value || matches(filter, column.filter, column.value(row))
  })
}
