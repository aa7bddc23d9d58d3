import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import type { TableColumn } from './table-column.ts'
import { changeColumns, shownColumns, type TableView } from './table-view.ts'

interface ColumnsButtonProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
}

/** Which columns are shown. The first names the row and stays. */
export function ColumnsButton<Row>({ columns, view }: ColumnsButtonProps<Row>) {
  const shown = shownColumns(columns, view).map(({ id }) => id)
  const toggle = (id: string) =>
    changeColumns(columns.map((one) => one.id).filter((one) => shown.includes(one) !== (one === id)))
  return (
    <Popover position="bottom-end" shadow="md" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="columns" size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {columns.slice(1).map(({ id, header }) => (
            <Checkbox key={id} size="xs" label={header} checked={shown.includes(id)} onChange={() => toggle(id)} />
          ))}
          {view.columns !== null && (
            <Button size="compact-xs" variant="subtle" onClick={() => changeColumns(null)}>
              Back to the usual ones
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
