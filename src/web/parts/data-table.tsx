import { Paper, Table, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

export interface DataColumn<Row> {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** How the column is sorted now, where it can be. */
  readonly sort?: { readonly direction: 'asc' | 'desc' | null; readonly toggle: () => void }
  readonly align?: 'right'
  /** The first to go where columns get tight. */
  readonly isSpare?: true
}

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/** A table that becomes a list of cards where there is no room for columns. The first column names the row. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <Paper withBorder className="data-table">
      <Table role="table" verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover>
        <Table.Caption className="visually-hidden">{caption}</Table.Caption>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <HeaderCell key={column.header} column={column} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr role="row" key={rowKey(row)}>
              {columns.map(({ header, cell, align, isSpare }, at) => (
                <Table.Td
                  key={header}
                  role={at === 0 ? 'rowheader' : 'cell'}
                  data-label={header}
                  data-first={at === 0 || undefined}
                  data-spare={isSpare}
                  ta={align}
                >
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const

function HeaderCell<Row>({ column: { header, sort, align, isSpare } }: { readonly column: DataColumn<Row> }) {
  if (!sort) {
    return (
      <Table.Th role="columnheader" scope="col" ta={align} data-spare={isSpare}>
        {header}
      </Table.Th>
    )
  }
  return (
    <Table.Th role="columnheader" scope="col" aria-sort={sort.direction ? ariaSort[sort.direction] : 'none'}>
      <UnstyledButton className="sort-button" onClick={sort.toggle}>
        {header}
        <span aria-hidden="true">{sort.direction === 'asc' ? ' ↑' : sort.direction === 'desc' ? ' ↓' : ' ↕'}</span>
      </UnstyledButton>
    </Table.Th>
  )
}
