import { Code, Group, Text } from '@mantine/core'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { When } from '../parts/when.tsx'
import type { AnyRow, RowKind } from './resources.ts'
import { changeOrder, type View } from './view.ts'

interface RowsTableProps<Row> {
  readonly kind: RowKind<Row>
  readonly view: View
  readonly rows: readonly Row[]
  readonly edit: (row: Row) => void
  readonly remove: (row: Row) => void
}

export function RowsTable<Row extends AnyRow>({ kind, view, rows, edit, remove }: RowsTableProps<Row>) {
  const { bidOf, nameOf } = kind
  const sort = (column: string, first: 'asc' | 'desc' = 'asc') => ({
    direction: view.sort === column ? view.direction : null,
    toggle: () => changeOrder(column, view.sort === column ? (view.direction === 'asc' ? 'desc' : 'asc') : first),
  })
  const bidColumn: DataColumn<Row>[] = bidOf
    ? [{ header: 'Bid', cell: (row) => <span className="wrap">{bidOf(row).name}</span> }]
    : []
  const columns: readonly DataColumn<Row>[] = [
    { header: 'Name', sort: sort(kind.nameColumn), cell: (row) => <span className="wrap strong">{nameOf(row)}</span> },
    ...bidColumn,
    { header: 'Id', cell: ({ id }) => <Id id={id} /> },
    { header: 'Created', sort: sort('created_at', 'desc'), cell: ({ created_at }) => <Moment at={created_at} /> },
    { header: 'Changed', sort: sort('updated_at', 'desc'), cell: ({ updated_at }) => <Moment at={updated_at} /> },
    {
      header: 'Actions',
      cell: (row) => (
        <Group gap={4} wrap="nowrap">
          <AllowedButton
            needs="developer"
            size="xs"
            variant="default"
            onClick={() => edit(row)}
            aria-label={`Edit ${nameOf(row)}`}
          >
            Edit
          </AllowedButton>
          <AllowedButton
            needs="developer"
            size="xs"
            variant="default"
            onClick={() => remove(row)}
            aria-label={`Delete ${nameOf(row)}`}
          >
            Delete
          </AllowedButton>
        </Group>
      ),
    },
  ]
  return <DataTable caption={`${kind.many}, page ${view.page}`} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function Id({ id }: { readonly id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code title={id}>…{id.slice(-8)}</Code>
      <CopyButton label={`Copy the id ${id}`} text={id} iconOnly variant="subtle" />
    </Group>
  )
}

function Moment({ at }: { readonly at: string }) {
  return (
    <Text size="sm">
      <When at={at} />
    </Text>
  )
}
