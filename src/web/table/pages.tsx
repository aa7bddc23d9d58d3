import { Pagination } from '@mantine/core'
import { useEffect } from 'react'
import { changePage, pageSize, type TableView } from './table-view.ts'

/** The way to the other pages. One that has become empty leads to the last that is not. */
export function Pages({ view: { page }, total }: { readonly view: TableView; readonly total: number }) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const isPastEnd = page > last
  useEffect(() => {
    if (isPastEnd) changePage(last, 'replace')
  }, [isPastEnd, last])
  if (last < 2) return null
  return (
    <nav aria-label="Pages">
      <Pagination
        size="sm"
        total={last}
        value={Math.min(page, last)}
        onChange={(to) => changePage(to)}
        getItemProps={(one) => ({ 'aria-label': `Page ${one}` })}
        getControlProps={(control) => ({ 'aria-label': `Go to the ${control} page` })}
      />
    </nav>
  )
}
