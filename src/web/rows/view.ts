import type { Column, Resource } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { containing, isAnyLike, readable } from './query.ts'
import { selectOf } from './resources.ts'

export const pageSize = 20

/** What part of the rows is on the screen. It is all in the address, so that it can be linked and gone back to. */
export interface View {
  readonly search: string
  /** Rows that belong to one row of another resource, or one row by its id: `?bid_id=0189…` */
  readonly only: { readonly column: Column; readonly id: string } | null
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  readonly page: number
}

export function useView(resource: Resource): View {
  const { search } = usePlace()
  const [, sort = firstSortOf(resource), direction = 'desc'] =
    /^(\w+)\.(asc|desc)$/.exec(search.get('order') ?? '') ?? []
  const column = resource.columns.find((one) => search.has(one.name) && isLinked(resource, one))
  return {
    search: search.get('q') ?? '',
    only: column ? { column, id: search.get(column.name) ?? '' } : null,
    sort,
    direction: direction === 'asc' ? 'asc' : 'desc',
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
  }
}

/** The newest first, where the service notes when a row was created. */
const firstSortOf = ({ columns, primary_key }: Resource): string =>
  columns.find(({ writable }) => !writable)?.name ?? primary_key

const isLinked = ({ primary_key }: Resource, { name, references }: Column): boolean =>
  references !== null || name === primary_key

export const changeOrder = (sort: string, direction: 'asc' | 'desc'): void =>
  changeSearch({ order: `${sort}.${direction}`, page: null })
export const changeText = (text: string): void => changeSearch({ q: text, page: null }, 'replace')
export const changePage = (page: number): void => changeSearch({ page: page === 1 ? null : String(page) })
export const showAll = ({ name }: Column): void => changeSearch({ [name]: null, page: null })

/** The columns that a search looks into. */
export const searchedOf = ({ columns }: Resource): readonly Column[] =>
  columns.filter((column) => viewOf(column).isSearched)

/** The question of a view in the dialect of the API. */
export function queryOf(resource: Resource, resources: readonly Resource[], view: View): string {
  const { only, sort, direction, page } = view
  const query = new URLSearchParams({ select: selectOf(resource, resources) })
  const text = view.search.trim()
  const names = searchedOf(resource).map(({ name }) => name)
  const [name = '', ...more] = names
  if (text !== '' && more.length > 0) query.set('or', isAnyLike(names, text))
  else if (text !== '' && name !== '') query.set(name, containing(text))
  if (only) query.set(only.column.name, `eq.${only.id}`)
  query.set('order', [...new Set([sort, resource.primary_key])].map((column) => `${column}.${direction}`).join(','))
  query.set('limit', String(pageSize))
  if (page > 1) query.set('offset', String((page - 1) * pageSize))
  return readable(query)
}
