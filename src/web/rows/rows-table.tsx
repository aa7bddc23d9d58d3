import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { ViewSwitch } from '../board/view-switch.tsx'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { useAnswer, useLink, useRefusal } from '../session.tsx'
import { type BulkAction, ListTable } from '../table/list-table.tsx'
import type { RowAction } from '../table/row-menu.tsx'
import { openRow, type TableView } from '../table/table-view.ts'
import { ApiCall } from './api-call.tsx'
import { childrenOf, childrenPath, idOf, nameOf, useResources } from './resources.ts'
import { useRowColumns } from './row-columns.tsx'
import { Summary } from './summary.tsx'
import { queryOf, type RowsView, searchedOf } from './view.ts'
import { labelsOf } from './words.ts'

/** A dialog about rows. */
export type Open =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'edit'; readonly row: Row }
  | { readonly dialog: 'delete'; readonly rows: readonly Row[] }
  | { readonly dialog: 'change'; readonly rows: readonly Row[] }
  | null

interface RowsTableProps {
  readonly resource: Resource
  readonly view: RowsView
  readonly open: (open: Open) => void
  /** All of one row. */
  readonly panel: (id: string, close: () => void) => ReactNode
}

export function RowsTable({ resource, view, open, panel }: RowsTableProps) {
  const { name, one, many } = resource
  const resources = useResources()
  const query = queryOf(resource, resources, view)
  const found = useAnswer<RowPage<Row>>(`/rest/${name}?${query}`, { placeholderData: keepPreviousData }, getRows)
  const shownView = useShownView(view, found.isPlaceholderData)
  const searched = searchedOf(resource)
  const edit = (row: Row) => open({ dialog: 'edit', row })
  const remove = (rows: readonly Row[]) => open({ dialog: 'delete', rows })
  return (
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
      bulk={useBulk(resource, open)}
      panel={panel}
      {...(resource.read_only ? {} : { follows: { resource: name, counted: countedIn(resource, resources) } })}
      tabs={<ViewSwitch resource={resource} />}
      summary={(total) => (
        <Summary resource={resource} view={shownView} total={total} create={createFirst(resource, open)} />
      )}
      footer={<ApiCall method="GET" path={`${name}?${query}`} />}
    />
  )
}

/** The resources whose rows are counted in the list. */
const countedIn = (resource: Resource, resources: readonly Resource[]): string[] =>
  childrenOf(resource, resources)
    .filter(({ from }) => !from.read_only)
    .map(({ from }) => from.name)

/** The view that the rows on the page belong to: while new rows are loaded, still the one before. */
function useShownView(view: TableView, isLoading: boolean): TableView {
  const shown = useRef(view)
  if (!isLoading) shown.current = view
  return shown.current
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
  if (useRefusal('developer') !== null || resource.read_only) return []
  return [
    { label: 'Change', run: (rows) => open({ dialog: 'change', rows }) },
    { label: 'Delete', isGrave: true, run: (rows) => open({ dialog: 'delete', rows }) },
  ]
}
