import { Button } from '@mantine/core'
import type { Column, Resource, Row } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { useLink } from '../session.tsx'
import { idOf, nameOf, referencesIn, useResources } from './resources.ts'
import { changeOrder, type View } from './view.ts'
import { capitalized } from './words.ts'

interface RowsTableProps {
  readonly resource: Resource
  readonly view: View
  readonly rows: readonly Row[]
  readonly edit: (row: Row) => void
  readonly remove: (row: Row) => void
}

export function RowsTable({ resource, view, rows, edit, remove }: RowsTableProps) {
  const columns: readonly DataColumn<Row>[] = [
    ...inOrder(resource).map((column) => dataColumnOf(resource, column, view)),
    {
      header: 'Actions',
      cell: (row) => <Actions resource={resource} row={row} edit={() => edit(row)} remove={() => remove(row)} />,
    },
  ]
  const caption = `${resource.many}, page ${view.page}`
  return <DataTable caption={caption} columns={columns} rows={rows} rowKey={(row) => idOf(resource, row)} />
}

/** The name first, then what it belongs to and what else people enter, then its id, and what the service notes last. */
function inOrder({ columns, naming_column, primary_key }: Resource): readonly Column[] {
  const rank = ({ name, references, writable }: Column): number =>
    [name === naming_column, references !== null, writable && name !== primary_key, writable, true].indexOf(true)
  return columns.toSorted((one, other) => rank(one) - rank(other))
}

function dataColumnOf(resource: Resource, column: Column, view: View): DataColumn<Row> {
  const { firstOrder, Cell } = viewOf(column)
  const { name, label } = column
  const direction = view.sort === name ? view.direction : null
  const next = direction ? (direction === 'asc' ? 'desc' : 'asc') : firstOrder
  const isName = name === resource.naming_column
  return {
    header: label,
    cell: (row) =>
      isName ? (
        <div className="wrap strong name-cell" dir="auto">
          {nameOf(resource, row)}
        </div>
      ) : (
        <Cell column={column} row={row} />
      ),
    ...(firstOrder && next ? { sort: { direction, toggle: () => changeOrder(name, next) } } : {}),
  }
}

interface ActionsProps {
  readonly resource: Resource
  readonly row: Row
  readonly edit: () => void
  readonly remove: () => void
}

/** What can be done with a row, and the way to the rows that belong to it. */
function Actions({ resource, row, edit, remove }: ActionsProps) {
  const link = useLink()
  const name = nameOf(resource, row)
  const children = referencesIn(useResources()).filter(({ to }) => to === resource)
  const look = { size: 'xs', variant: 'default' } as const
  return (
    <div className="row-actions">
      {children.map(({ from, column }) => (
        <Button
          key={`${from.name} ${column.name}`}
          component="a"
          {...look}
          {...link(`${from.path}?${column.name}=${idOf(resource, row)}`)}
          aria-label={`${capitalized(from.many)} of ${name}`}
        >
          {capitalized(from.many)}
        </Button>
      ))}
      {!resource.read_only && (
        <>
          <AllowedButton needs="developer" {...look} onClick={edit} aria-label={`Edit ${name}`}>
            Edit
          </AllowedButton>
          <AllowedButton needs="developer" {...look} onClick={remove} aria-label={`Delete ${name}`}>
            Delete
          </AllowedButton>
        </>
      )}
    </div>
  )
}
