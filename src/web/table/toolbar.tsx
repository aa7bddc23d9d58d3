import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import { ColumnsButton } from './columns-button.tsx'
import { FilterButton, FilterPills } from './filters.tsx'
import { SortField } from './sort-field.tsx'
import type { TableColumn } from './table-column.ts'
import { changeText, type TableView } from './table-view.ts'

interface ToolbarProps<Row> {
  /** "projects" */
  readonly many: string
  /** What the search looks into, in words; null where it cannot be searched. */
  readonly searched: string | null
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
  /** Whether there are columns to choose. */
  readonly isTable?: boolean
  /** What can be done with the rows that are ticked, in the place of the choice of columns. */
  readonly selected?: ReactNode
  /** Further choices, such as tabs. */
  readonly children?: ReactNode
}

/** One line above a table: search, filters, order, and which columns are shown. */
export function Toolbar<Row>(props: ToolbarProps<Row>) {
  const { many, searched, columns, view, isTable = true, selected, children } = props
  return (
    <div className="toolbar">
      {children}
      {searched !== null && <SearchField label={`Search ${many} by ${searched}`} view={view} />}
      <FilterButton columns={columns} view={view} />
      <FilterPills columns={columns} view={view} />
      {isTable && <SortField columns={columns} view={view} />}
      {isTable && (
        <div className="toolbar-end" data-selected={selected !== undefined || undefined}>
          {selected ?? <ColumnsButton columns={columns} view={view} />}
        </div>
      )}
    </div>
  )
}

function SearchField({ label, view }: { readonly label: string; readonly view: TableView }) {
  const [text, setText] = useState(view.search)
  const field = useRef<HTMLInputElement>(null)
  // A link or the way back changes what is searched for, too.
  useEffect(() => setText(view.search), [view.search])
  useEffect(() => focusOnSlash(field.current), [])
  const search = useDebouncedCallback(changeText, 250)
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      className="search-field"
      aria-label={label}
      placeholder="Search"
      title={`${label} (press /)`}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

/** The key / leads to the search, unless somebody is writing. */
function focusOnSlash(field: HTMLInputElement | null): () => void {
  const listen = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isBusy = target instanceof Element && target.closest('input, textarea, select, [role="dialog"]') !== null
    if (key !== '/' || isBusy || ctrlKey || metaKey || altKey) return
    event.preventDefault()
    field?.focus()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
