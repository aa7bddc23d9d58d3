import { changeSearch, usePlace } from '../router.tsx'
import { store, useStored } from '../stored.ts'
import { type Filter, filterText, parseFilter } from './filter.ts'
import type { Direction, TableColumn } from './table-column.ts'

/** What part of a list is on the screen. It is all in the address, so that it can be linked and gone back to. */
export interface TableView {
  readonly search: string
  readonly filters: readonly Filter[]
  /** Null for the order that the list has by itself. */
  readonly sort: { readonly column: string; readonly direction: Direction } | null
  readonly page: number
  /** What differs from the usual columns, so that one that is added later is shown: `-people` is hidden, `id` is shown. */
  readonly columns: readonly string[] | null
  /** The row that is open beside the table. */
  readonly open: string | null
}

export const pageSize = 50

export function useTableView(): TableView {
  const { search, fullPath } = usePlace()
  const remembered = useStored(columnsKey(fullPath))
  const [, column, direction] = /^(\w+)\.(asc|desc)$/.exec(search.get('order') ?? '') ?? []
  return {
    search: search.get('q') ?? '',
    filters: search.getAll('where').map(parseFilter),
    sort: column === undefined ? null : { column, direction: direction === 'asc' ? 'asc' : 'desc' },
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
    columns: (search.get('columns') ?? remembered)?.split(',') ?? null,
    open: search.get('open'),
  }
}

/** `people.desc`; empty for the order that the list has by itself. */
export const changeOrder = (order: string): void => changeSearch({ order, page: null })
export const orderText = ({ column, direction }: NonNullable<TableView['sort']>): string => `${column}.${direction}`
export const changeText = (text: string): void => changeSearch({ q: text, page: null }, 'replace')
export const changePage = (page: number, how: 'push' | 'replace' = 'push'): void =>
  changeSearch({ page: page === 1 ? null : String(page) }, how)
export const changeFilters = (filters: readonly Filter[]): void =>
  changeSearch({ where: filters.map(filterText), page: null })
export function changeColumns(changes: readonly string[]): void {
  const text = changes.join(',') || null
  store(columnsKey(location.pathname), text)
  changeSearch({ columns: text }, 'replace')
}

/** The path has the company and the table. */
const columnsKey = (path: string): string => `columns ${path}`
export const openRow = (id: string | null): void => changeSearch({ open: id }, id === null ? 'replace' : 'push')
export const showAll = (): void => changeSearch({ q: null, where: null, page: null })

/** Those on the screen. The first names the row, and is always there; what was chosen stays where columns get tight. */
export function shownColumns<Row>(
  columns: readonly TableColumn<Row>[],
  { columns: chosen }: TableView,
): readonly TableColumn<Row>[] {
  const isChanged = (column: TableColumn<Row>) => chosen?.includes(changeOf(column)) ?? false
  const shown = columns.filter((column, at) => at === 0 || isChanged(column) === (column.isExtra ?? false))
  return chosen ? shown.map(({ isSpare, ...column }) => column) : shown
}

/** How a column differs from what is usual of it. */
export const changeOf = <Row>({ id, isExtra }: TableColumn<Row>): string => (isExtra ? id : `-${id}`)

/** The filters on columns that are not there, such as those of an old link. */
export const unknownFilters = <Row>(columns: readonly TableColumn<Row>[], { filters }: TableView): readonly Filter[] =>
  filters.filter(({ column }) => !columns.some(({ id, filter }) => id === column && filter))

/** Whether something hides rows that would be there otherwise. */
export const isNarrowed = ({ search, filters }: TableView): boolean => search.trim() !== '' || filters.length > 0
