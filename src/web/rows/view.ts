import { changeSearch, usePlace } from '../router.tsx'
import type { RowKind } from './resources.ts'

export const pageSize = 20

/** What part of the rows is on the screen. It is all in the address, so that it can be linked and gone back to. */
export interface View {
  readonly search: string
  readonly sort: string
  readonly direction: 'asc' | 'desc'
  readonly page: number
}

export function useView(): View {
  const { search } = usePlace()
  const [, sort = 'created_at', direction = 'desc'] = /^(\w+)\.(asc|desc)$/.exec(search.get('order') ?? '') ?? []
  return {
    search: search.get('q') ?? '',
    sort,
    direction: direction === 'asc' ? 'asc' : 'desc',
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
  }
}

export const changeOrder = (sort: string, direction: 'asc' | 'desc'): void =>
  changeSearch({ order: `${sort}.${direction}`, page: null })
export const changeText = (text: string): void => changeSearch({ q: text, page: null }, 'replace')
export const changePage = (page: number): void => changeSearch({ page: page === 1 ? null : String(page) })

/** The question of a view in the dialect of the API. */
export function queryOf<Row>({ nameColumn, select }: RowKind<Row>, { search, sort, direction, page }: View): string {
  const query = new URLSearchParams({ select })
  if (search.trim() !== '') query.set(nameColumn, containing(search.trim()))
  query.set('order', sort === 'id' ? `id.${direction}` : `${sort}.${direction},id.${direction}`)
  query.set('limit', String(pageSize))
  if (page > 1) query.set('offset', String((page - 1) * pageSize))
  return readable(query)
}

/** `50%` → `ilike.*50\%*`: what was typed means itself. */
export const containing = (text: string): string => `ilike.*${text.replace(/[\\%_]/g, '\\$&')}*`

/** Leaves what needs no escaping as it is: the same query is shown to people. */
export const readable = (query: URLSearchParams): string =>
  query.toString().replace(/%2C/g, ',').replace(/%28/g, '(').replace(/%29/g, ')').replace(/%3A/g, ':')
