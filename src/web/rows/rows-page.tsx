import { Pagination, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer } from '../session.tsx'
import { ApiCall } from './api-call.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { useResources } from './resources.ts'
import { RowDialog } from './row-dialog.tsx'
import { RowsTable } from './rows-table.tsx'
import { Summary } from './summary.tsx'
import { changePage, changeText, pageSize, queryOf, searchedOf, useView, type View } from './view.ts'
import { capitalized, labelsOf } from './words.ts'

type Open = { readonly dialog: 'edit' | 'delete'; readonly row: Row } | { readonly dialog: 'create' } | null

/** Lists, searches, creates, changes and deletes the rows of any resource: what differs between them is data. */
export function RowsPage({ resource }: { readonly resource: Resource }) {
  const { name, one, many } = resource
  const view = useView(resource)
  const query = queryOf(resource, useResources(), view)
  const [open, setOpen] = useState<Open>(null)
  const found = useAnswer<RowPage<Row>>(`/rest/${name}?${query}`, { placeholderData: keepPreviousData }, getRows)
  const shownView = useShownView(view, found.isPlaceholderData)
  const close = () => setOpen(null)
  const create = resource.read_only ? null : (
    <AllowedButton needs="developer" leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: 'create' })}>
      New {one}
    </AllowedButton>
  )
  return (
    <Page title={capitalized(many)} lead={resource.description} actions={create}>
      <Stack>
        {!resource.read_only && <RoleNotice needs="developer" what={many} />}
        <SearchField resource={resource} view={view} />
        <ApiCall method="GET" path={`${name}?${query}`} />
        <Loaded query={found} what={`the ${many}`} lines={8}>
          {({ rows, total }) => (
            <>
              <Summary resource={resource} view={shownView} total={total} />
              {rows.length > 0 && (
                <RowsTable
                  resource={resource}
                  view={view}
                  rows={rows}
                  edit={(row) => setOpen({ dialog: 'edit', row })}
                  remove={(row) => setOpen({ dialog: 'delete', row })}
                />
              )}
              <Pages view={view} total={total} />
            </>
          )}
        </Loaded>
      </Stack>
      {open?.dialog === 'create' && <RowDialog resource={resource} row={null} start={startOf(view)} close={close} />}
      {open?.dialog === 'edit' && <RowDialog resource={resource} row={open.row} start={{}} close={close} />}
      {open?.dialog === 'delete' && <DeleteDialog resource={resource} row={open.row} close={close} />}
    </Page>
  )
}

/** The view that the rows on the page belong to: while new rows are loaded, still the one before. */
function useShownView(view: View, isLoading: boolean): View {
  const shown = useRef(view)
  if (!isLoading) shown.current = view
  return shown.current
}

/** Whoever looks at the projects of one bid creates the next one there. */
const startOf = ({ only }: View): Row => (only?.column.references ? { [only.column.name]: only.id } : {})

function SearchField({ resource, view }: { readonly resource: Resource; readonly view: View }) {
  const [text, setText] = useState(view.search)
  // A link or the way back changes what is searched for, too.
  useEffect(() => setText(view.search), [view.search])
  const search = useDebouncedCallback(changeText, 250)
  const columns = searchedOf(resource)
  if (columns.length === 0) return null
  return (
    <TextInput
      type="search"
      label={`Search ${resource.many} by ${labelsOf(columns)}`}
      leftSection={<Icon name="search" size={16} />}
      maw={420}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

function Pages({ view, total }: { readonly view: View; readonly total: number }) {
  const pages = Math.ceil(total / pageSize)
  if (pages < 2) return null
  return (
    <nav aria-label="Pages">
      <Pagination
        total={pages}
        value={Math.min(view.page, pages)}
        onChange={changePage}
        getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
        getControlProps={(control) => ({ 'aria-label': `Go to the ${control} page` })}
      />
    </nav>
  )
}
