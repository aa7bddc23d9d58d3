import { NativeSelect } from '@mantine/core'
import { arrows } from './data-table.tsx'
import type { TableColumn } from './table-column.ts'
import { changeOrder, orderText, type TableView } from './table-view.ts'

interface SortFieldProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
}

/** The order of the rows, where they are cards and have no headers to click on. */
export function SortField<Row>({ columns, view: { sort } }: SortFieldProps<Row>) {
  const orders = columns.flatMap(({ id, header, firstOrder }) =>
    (firstOrder ? (['asc', 'desc'] as const) : []).map((direction) => ({
      value: orderText({ column: id, direction }),
      label: `${header}${arrows[direction]}`,
    })),
  )
  if (orders.length === 0) return null
  const value = sort ? orderText(sort) : ''
  const isListed = orders.some((order) => order.value === value)
  return (
    <NativeSelect
      size="xs"
      className="sort-field"
      aria-label="Sort by"
      data={isListed ? orders : [{ value, label: 'Sort by' }, ...orders]}
      value={value}
      onChange={(event) => changeOrder(event.currentTarget.value)}
    />
  )
}
