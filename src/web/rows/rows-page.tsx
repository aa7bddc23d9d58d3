import { EmptyState, Pagination, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer } from '../session.tsx'
import { ApiCall } from './api-call.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { type AnyRow, bids, projects, type RowKind } from './resources.ts'
import { RowDialog } from './row-dialog.tsx'
import { RowsTable } from './rows-table.tsx'
import { changePage, changeText, pageSize, queryOf, useView, type View } from './view.ts'

export const ProjectsPage = () => <RowsPage kind={projects} />
export const BidsPage = () => <RowsPage kind={bids} />

type Open<Row> = { readonly dialog: 'edit' | 'delete'; readonly row: Row } | { readonly dialog: 'create' } | null

function RowsPage<Row extends AnyRow>({ kind }: { readonly kind: RowKind<Row> }) {
  const view = useView()
  const query = queryOf(kind, view)
  const [open, setOpen] = useState<Open<Row>>(null)
  const found = useAnswer<RowPage<Row>>(
    `/api/rest/${kind.resource}?${query}`,
    { placeholderData: keepPreviousData },
    getRows,
  )
  const close = () => setOpen(null)
  const create = (
    <AllowedButton needs="developer" leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: 'create' })}>
      New {kind.one}
    </AllowedButton>
  )
  return (
    <Page title={kind.many.replace(/^./, (letter) => letter.toUpperCase())} lead={kind.lead} actions={create}>
      <Stack>
        <RoleNotice needs="developer" what={kind.many} />
        <SearchField view={view} kind={kind} />
        <ApiCall method="GET" path={`${kind.resource}?${query}`} />
        <Loaded query={found} what={`the ${kind.many}`} lines={8}>
          {({ rows, total }) => (
            <>
              <Summary kind={kind} view={view} total={total} />
              {rows.length > 0 && (
                <RowsTable
                  kind={kind}
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
      {open?.dialog === 'create' && <RowDialog kind={kind} row={null} close={close} />}
      {open?.dialog === 'edit' && <RowDialog kind={kind} row={open.row} close={close} />}
      {open?.dialog === 'delete' && <DeleteDialog kind={kind} row={open.row} close={close} />}
    </Page>
  )
}

interface PartProps<Row> {
  readonly kind: RowKind<Row>
  readonly view: View
}

function SearchField<Row>({ kind, view }: PartProps<Row>) {
  const [text, setText] = useState(view.search)
  const search = useDebouncedCallback(changeText, 250)
  return (
    <TextInput
      type="search"
      label={`Search ${kind.many} by name`}
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

function Summary<Row>({ kind, view, total }: PartProps<Row> & { readonly total: number }) {
  if (total > 0) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {total.toLocaleString('en')} {total === 1 ? kind.one : kind.many}
        {view.search !== '' && ` with “${view.search}” in the name`}
      </Text>
    )
  }
  return (
    <div role="status">
      {view.search === '' ? (
        <EmptyState py="xl" title={`No ${kind.many} yet`} description={kind.empty} />
      ) : (
        <EmptyState py="xl" title="Nothing found" description={`No ${kind.one} has “${view.search}” in its name.`} />
      )}
    </div>
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
