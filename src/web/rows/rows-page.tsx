import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Resource, Row } from '../api-types.ts'
import { Board } from '../board/board.tsx'
import { useBoardColumn } from '../board/view-switch.tsx'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { openRow, type TableView, unknownFilters } from '../table/table-view.ts'
import { unknownReason } from '../table/unknown-filters.tsx'
import { TransferActions } from '../transfer/transfer-actions.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { idOf, useResources } from './resources.ts'
import { useRowColumns } from './row-columns.tsx'
import { EditDialog, RowDialog } from './row-dialog.tsx'
import { RowPanel } from './row-panel.tsx'
import { type Open, RowsTable } from './rows-table.tsx'
import { ownerOf, queryOf, useRowsView } from './view.ts'
import { capitalized } from './words.ts'

/** Lists, searches, creates, changes and deletes the rows of any resource: what differs between them is data. */
export function RowsPage({ resource }: { readonly resource: Resource }) {
  const { one, many } = resource
  const view = useRowsView(resource)
  const board = useBoardColumn(resource)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const create = resource.read_only ? null : (
    <AllowedButton needs="developer" leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: 'create' })}>
      New {one}
    </AllowedButton>
  )
  const panel = (id: string, closePanel: () => void) => (
    <RowPanel
      resource={resource}
      id={id}
      edit={(row) => setOpen({ dialog: 'edit', row })}
      remove={(row) => setOpen({ dialog: 'delete', rows: [row] })}
      close={closePanel}
    />
  )
  return (
    <Page
      title={capitalized(many)}
      lead={resource.description}
      actions={
        <>
          <TransferActions
            resource={resource}
            query={queryOf(resource, useResources(), view)}
            refusal={unknownFilters(useRowColumns(resource), view).length > 0 ? unknownReason : null}
          />
          {create}
        </>
      }
    >
      <Stack>
        {!resource.read_only && <RoleNotice needs="developer" what={many} />}
        {board ? (
          <>
            <Board key={board.name} resource={resource} column={board} view={view} />
            {view.open !== null && panel(view.open, () => openRow(null))}
          </>
        ) : (
          <RowsTable resource={resource} view={view} open={setOpen} panel={panel} />
        )}
      </Stack>
      {open?.dialog === 'create' && (
        <RowDialog resource={resource} found={null} start={startOf(resource, view)} close={close} />
      )}
      {open?.dialog === 'edit' && <EditDialog resource={resource} id={idOf(resource, open.row)} close={close} />}
      {open?.dialog === 'delete' && <DeleteDialog resource={resource} rows={open.rows} close={close} />}
      {open?.dialog === 'change' && <ChangeDialog resource={resource} rows={open.rows} close={close} />}
    </Page>
  )
}

/** Whoever looks at the projects of one bid creates the next one there. */
function startOf(resource: Resource, view: TableView): Row {
  const owner = ownerOf(resource, view)
  return owner ? { [owner.column.name]: owner.id } : {}
}
