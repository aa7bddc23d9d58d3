import { Checkbox, Paper, Table, UnstyledButton } from '@mantine/core'
import type { KeyboardEvent, MouseEvent } from 'react'
import { type RowAction, RowMenu } from './row-menu.tsx'
import type { Selection } from './selection.ts'
import type { Direction, TableColumn } from './table-column.ts'
import { changeOrder, type TableView } from './table-view.ts'

interface DataTableProps<Row> {
  readonly caption: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** What people call a row. */
  readonly nameOf?: (row: Row) => string
  readonly sort?: TableView['sort']
  readonly selection?: Selection | null
  readonly menu?: ((row: Row) => readonly RowAction[]) | undefined
  /** Shows all of a row: a click anywhere in it, or the button that its name is. */
  readonly open?: ((row: Row) => void) | undefined
}

/** A table that becomes a list of cards where there is no room for columns. The first column names the row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort = null, selection = null, menu } = props
  return (
    <Paper withBorder className="data-table">
      <Table role="table" highlightOnHover data-opens={props.open !== undefined || undefined}>
        <Table.Caption className="visually-hidden">{caption}</Table.Caption>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection && <SelectAll keys={rows.map(rowKey)} selection={selection} />}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} />
            ))}
            {menu && (
              <Table.Th role="columnheader" scope="col" className="menu-cell">
                <span className="visually-hidden">Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" onKeyDown={moveBetweenRows}>
          {rows.map((row) => (
            <BodyRow key={rowKey(row)} row={row} {...props} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const
const arrows = { asc: ' ↑', desc: ' ↓' } as const

interface HeaderCellProps<Row> {
  readonly column: TableColumn<Row>
  readonly sort: TableView['sort']
}

function HeaderCell<Row>({ column: { id, header, firstOrder, isSpare, isWide }, sort }: HeaderCellProps<Row>) {
  const look = { role: 'columnheader', scope: 'col', 'data-spare': isSpare, 'data-wide': isWide || undefined } as const
  if (!firstOrder) return <Table.Th {...look}>{header}</Table.Th>
  const direction = sort?.column === id ? sort.direction : null
  const next: Direction = direction ? (direction === 'asc' ? 'desc' : 'asc') : firstOrder
  return (
    <Table.Th {...look} aria-sort={direction ? ariaSort[direction] : 'none'}>
      <UnstyledButton className="sort-button" onClick={() => changeOrder(id, next)}>
        {header}
        <span aria-hidden="true" data-idle={direction === null || undefined}>
          {direction ? arrows[direction] : ' ↕'}
        </span>
      </UnstyledButton>
    </Table.Th>
  )
}

interface SelectAllProps {
  readonly keys: readonly string[]
  readonly selection: Selection
}

function SelectAll({ keys, selection }: SelectAllProps) {
  const { size } = selection.keys
  return (
    <Table.Th role="columnheader" scope="col" className="select-cell">
      <Checkbox
        size="xs"
        aria-label="Select all on this page"
        checked={size > 0 && size === keys.length}
        indeterminate={size > 0 && size < keys.length}
        onChange={() => selection.toggleAll(keys)}
      />
    </Table.Th>
  )
}

function BodyRow<Row>(props: DataTableProps<Row> & { readonly row: Row }) {
  const { row, columns, rowKey, nameOf = rowKey, selection = null, menu, open } = props
  const key = rowKey(row)
  const isSelected = selection?.keys.has(key) ?? false
  return (
    <Table.Tr
      role="row"
      {...(selection ? { 'aria-selected': isSelected } : {})}
      {...(open ? { onClick: (event: MouseEvent<HTMLElement>) => isPlain(event) && open(row) } : {})}
    >
      {selection && (
        <Table.Td role="cell" className="select-cell">
          <Checkbox
            size="xs"
            aria-label={`Select ${nameOf(row)}`}
            checked={isSelected}
            onChange={() => selection.toggle(key)}
          />
        </Table.Td>
      )}
      {columns.map(({ id, header, cell, isSpare, isWide, isLink }, at) => (
        <Table.Td
          key={id}
          role={at === 0 ? 'rowheader' : 'cell'}
          data-label={header}
          data-first={at === 0 || undefined}
          data-wide={isWide || undefined}
          data-spare={isSpare}
        >
          {at === 0 && open && !isLink ? (
            <UnstyledButton className="row-name" onClick={() => open(row)}>
              {cell(row)}
            </UnstyledButton>
          ) : (
            cell(row)
          )}
        </Table.Td>
      ))}
      {menu && (
        <Table.Td role="cell" className="menu-cell">
          <RowMenu name={nameOf(row)} actions={menu(row)} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}

const ownClicks = 'a, button, input, label, [role="listbox"], .mantine-Popover-dropdown, .select-cell, .menu-cell'

/** Not on something that does its own, not in a dialog that a cell has opened, and not at the end of marking text. */
function isPlain({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest(ownClicks) === null && String(getSelection()) === ''
}

/** The arrow keys go from a row to the next, and x ticks it. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
  if (target.getAttribute('aria-haspopup') || target.matches('input:not([type="checkbox"])')) return
  const row = target.closest('tr')
  if (key === 'x') row?.querySelector<HTMLElement>('.select-cell input')?.click()
  const next = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling }[key]
  if (!next) return
  event.preventDefault()
  const isTick = target.matches('.select-cell input')
  next.querySelector<HTMLElement>(isTick ? '.select-cell input' : '[role="rowheader"] :is(a, button)')?.focus()
}
