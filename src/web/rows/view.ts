import { useEffect } from 'react'
import type { Column, Resource } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { type Filter, filterText } from '../table/filter.ts'
import { pageSize, type TableView, useTableView } from '../table/table-view.ts'
import { containing, isAnyLike, readable } from './query.ts'
import { selectOf } from './resources.ts'

export interface RowsView extends TableView {
  readonly sort: NonNullable<TableView['sort']>
}

export function useRowsView(resource: Resource): RowsView {
  const view = useTableView()
  const { search } = usePlace()
  // Links from before there were filters: `?bid_id=0189…`
  const linked = resource.columns.filter(({ name }) => uuid.test(search.get(name) ?? ''))
  const legacy = linked.map(({ name }): Filter => ({ column: name, operator: 'eq', value: search.get(name) ?? '' }))
  const filters = [...legacy, ...view.filters]
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address decides.
  useEffect(() => {
    const none = Object.fromEntries(legacy.map(({ column }) => [column, null]))
    if (legacy.length > 0) changeSearch({ ...none, where: filters.map(filterText) }, 'replace')
  }, [search.toString()])
  const isKnown = resource.columns.some(({ name }) => name === view.sort?.column)
  return {
    ...view,
    filters,
    sort: view.sort && isKnown ? view.sort : { column: firstSortOf(resource), direction: 'desc' },
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The newest first, where the service notes when a row was created. */
const firstSortOf = ({ columns, primary_key }: Resource): string =>
  columns.find(({ writable }) => !writable)?.name ?? primary_key

/** The columns that a search looks into. */
export const searchedOf = ({ columns }: Resource): readonly Column[] =>
  columns.filter((column) => viewOf(column).isSearched)

/** The one row of another resource whose rows are shown, if the filters say so. */
export function ownerOf({ columns }: Resource, { filters }: TableView): { column: Column; id: string } | null {
  for (const { column: name, operator, value } of filters) {
    const column = columns.find((one) => one.name === name && one.references !== null)
    if (column && operator === 'eq') return { column, id: value }
  }
  return null
}

/** The question of a view in the dialect of the API. */
export function queryOf(resource: Resource, resources: readonly Resource[], view: RowsView): string {
  const { page, sort } = view
  const query = new URLSearchParams({ select: selectOf(resource, resources) })
  const text = view.search.trim()
  const names = searchedOf(resource).map(({ name }) => name)
  const [name = '', ...more] = names
  if (text !== '' && more.length > 0) query.set('or', isAnyLike(names, text))
  else if (text !== '' && name !== '') query.set(name, containing(text))
  for (const filter of view.filters) {
    const column = resource.columns.find((one) => one.name === filter.column)
    if (column) query.append(column.name, viewOf(column).condition(filter))
  }
  query.set('order', orderOf(resource, sort))
  query.set('limit', String(pageSize))
  if (page > 1) query.set('offset', String((page - 1) * pageSize))
  return readable(query)
}

/** `start.desc.nullslast,id.desc`: rows without a value come last in both directions. */
function orderOf({ columns, primary_key }: Resource, { column, direction }: RowsView['sort']): string {
  const isNullable = columns.some(({ name, nullable }) => name === column && nullable)
  const first = `${column}.${direction}${isNullable && direction === 'desc' ? '.nullslast' : ''}`
  return column === primary_key ? first : `${first},${primary_key}.${direction}`
}
