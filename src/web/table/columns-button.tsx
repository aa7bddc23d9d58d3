import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import type { TableColumn } from './table-column.ts'
import { changeColumns, changeOf, shownColumns, type TableView } from './table-view.ts'

interface ColumnsButtonProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
}

/** Which columns are shown. The first names the row and stays. */
export function ColumnsButton<Row>({ columns, view }: ColumnsButtonProps<Row>) {
  const shown = shownColumns(columns, view).map(({ id }) => id)
  const toggle = (column: TableColumn<Row>) =>
    changeColumns([...new Set(view.columns).symmetricDifference(new Set([changeOf(column)]))])
  return (
    <Popover position="bottom-end" shadow="md" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="columns" size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {columns.slice(1).map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.header}
              checked={shown.includes(column.id)}
              onChange={() => toggle(column)}
            />
          ))}
          {view.columns !== null && (
            <Button size="compact-xs" variant="subtle" onClick={() => changeColumns([])}>
              Back to the usual ones
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
