import { Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer, useLink, useRefusal } from '../session.tsx'
import { type BulkAction, ListTable } from '../table/list-table.tsx'
import type { RowAction } from '../table/row-menu.tsx'
import { openRow, type TableView } from '../table/table-view.ts'
import { TransferActions } from '../transfer/transfer-actions.tsx'
import { ApiCall } from './api-call.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { childrenOf, childrenPath, idOf, nameOf, type Reference, referencesIn, useResources } from './resources.ts'
import { useRowColumns } from './row-columns.tsx'
import { EditDialog, RowDialog } from './row-dialog.tsx'
import { RowPanel } from './row-panel.tsx'
import { Summary } from './summary.tsx'
import { ownerOf, queryOf, searchedOf, useRowsView } from './view.ts'
import { capitalized, labelsOf } from './words.ts'

type Open =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'edit'; readonly row: Row }
  | { readonly dialog: 'delete'; readonly rows: readonly Row[] }
  | { readonly dialog: 'change'; readonly rows: readonly Row[]; readonly reference: Reference }
  | null

/** Lists, searches, creates, changes and deletes the rows of any resource: what differs between them is data. */
export function RowsPage({ resource }: { readonly resource: Resource }) {
  const { name, one, many } = resource
  const view = useRowsView(resource)
  const query = queryOf(resource, useResources(), view)
  const [open, setOpen] = useState<Open>(null)
  const found = useAnswer<RowPage<Row>>(`/rest/${name}?${query}`, { placeholderData: keepPreviousData }, getRows)
  const shownView = useShownView(view, found.isPlaceholderData)
  const searched = searchedOf(resource)
  const close = () => setOpen(null)
  const edit = (row: Row) => setOpen({ dialog: 'edit', row })
  const remove = (rows: readonly Row[]) => setOpen({ dialog: 'delete', rows })
  const create = resource.read_only ? null : (
    <AllowedButton needs="developer" leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: 'create' })}>
      New {one}
    </AllowedButton>
  )
  return (
    <Page
      title={capitalized(many)}
      lead={resource.description}
      actions={
        <>
          <TransferActions resource={resource} query={query} />
          {create}
        </>
      }
    >
      <Stack>
        {!resource.read_only && <RoleNotice needs="developer" what={many} />}
        <ListTable
          query={found}
          pick={(page) => page}
          one={one}
          many={many}
          columns={useRowColumns(resource)}
          view={view}
          rowKey={(row) => idOf(resource, row)}
          nameOf={(row) => nameOf(resource, row)}
          searched={searched.length === 0 ? null : labelsOf(searched)}
          menu={useMenu(resource, edit, remove)}
          bulk={useBulk(resource, setOpen)}
          panel={(id, closePanel) => (
            <RowPanel resource={resource} id={id} edit={edit} remove={(row) => remove([row])} close={closePanel} />
          )}
          summary={(total) => (
            <Summary resource={resource} view={shownView} total={total} create={createFirst(resource, setOpen)} />
          )}
          footer={<ApiCall method="GET" path={`${name}?${query}`} />}
        />
      </Stack>
      {open?.dialog === 'create' && (
        <RowDialog resource={resource} found={null} start={startOf(resource, view)} close={close} />
      )}
      {open?.dialog === 'edit' && <EditDialog resource={resource} id={idOf(resource, open.row)} close={close} />}
      {open?.dialog === 'delete' && <DeleteDialog resource={resource} rows={open.rows} close={close} />}
      {open?.dialog === 'change' && <ChangeDialog reference={open.reference} rows={open.rows} close={close} />}
    </Page>
  )
}

/** The view that the rows on the page belong to: while new rows are loaded, still the one before. */
function useShownView(view: TableView, isLoading: boolean): TableView {
  const shown = useRef(view)
  if (!isLoading) shown.current = view
  return shown.current
}

/** Whoever looks at the projects of one bid creates the next one there. */
function startOf(resource: Resource, view: TableView): Row {
  const owner = ownerOf(resource, view)
  return owner ? { [owner.column.name]: owner.id } : {}
}

const createFirst = ({ one, read_only }: Resource, open: (open: Open) => void) =>
  read_only ? null : (
    <AllowedButton needs="developer" variant="default" onClick={() => open({ dialog: 'create' })}>
      Create the first {one}
    </AllowedButton>
  )

function useMenu(
  resource: Resource,
  edit: (row: Row) => void,
  remove: (rows: readonly Row[]) => void,
): (row: Row) => readonly RowAction[] {
  const link = useLink()
  const refusal = useRefusal('developer')
  const children = childrenOf(resource, useResources())
  return (row) => {
    const id = idOf(resource, row)
    return [
      { label: 'Details', icon: 'info', run: () => openRow(id) },
      ...children.map((reference) => ({
        label: `Show ${reference.from.many}`,
        icon: 'open' as const,
        link: link(childrenPath(reference, id)),
      })),
      { label: 'Copy id', icon: 'copy', run: () => void navigator.clipboard?.writeText(id) },
      ...(resource.read_only
        ? []
        : ([
            { label: 'Edit', icon: 'edit', run: () => edit(row), refusal },
            { label: 'Delete', icon: 'trash', run: () => remove([row]), refusal, isGrave: true },
          ] as const)),
    ]
  }
}

/** Nothing can be ticked by those who may change nothing. */
function useBulk(resource: Resource, open: (open: Open) => void): readonly BulkAction<Row>[] {
  const references = referencesIn(useResources()).filter(({ from }) => from === resource)
  if (useRefusal('developer') !== null || resource.read_only) return []
  return [
    ...references.map((reference) => ({
      label: `Change ${reference.column.label.toLowerCase()}`,
      run: (rows: readonly Row[]) => open({ dialog: 'change', rows, reference }),
    })),
    { label: 'Delete', isGrave: true, run: (rows) => open({ dialog: 'delete', rows }) },
  ]
}
