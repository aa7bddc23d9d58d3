import { Paper, UnstyledButton } from '@mantine/core'
import type { KeyboardEvent, MouseEvent } from 'react'
import { type RowAction, RowMenu } from './row-menu.tsx'
import type { Selection } from './selection.ts'
import type { Direction, TableColumn } from './table-column.ts'
import { changeOrder, orderText, type TableView } from './table-view.ts'

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

// Cards are not laid out as a table, and then some browsers do not take it for one.
const as = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader', scope: 'col' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/**
 * A table that becomes a list of cards where there is no room for columns. The first column names the row.
 * It is made of plain elements: a page has a thousand cells, and a component for each makes people wait.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort = null, selection = null, menu } = props
  return (
    <Paper withBorder className="data-table">
      <table {...as.table} data-opens={props.open !== undefined || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead {...as.group}>
          <tr {...as.row}>
            {selection && <SelectAll keys={rows.map(rowKey)} selection={selection} />}
            {columns.map((column, at) => (
              <HeaderCell key={column.id} column={column} isFirst={at === 0} sort={sort} />
            ))}
            {menu && (
              <th {...as.header} className="menu-cell">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...as.group} onKeyDown={moveBetweenRows}>
          {rows.map((row) => (
            <BodyRow key={rowKey(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </Paper>
  )
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const
export const arrows = { asc: ' ↑', desc: ' ↓' } as const

interface HeaderCellProps<Row> {
  readonly column: TableColumn<Row>
  readonly isFirst: boolean
  readonly sort: TableView['sort']
}

function HeaderCell<Row>({ column, isFirst, sort }: HeaderCellProps<Row>) {
  const { id, header, firstOrder } = column
  const look = { ...as.header, ...widthOf(column, isFirst) }
  const label = (
    <span className="ellipsis" title={header}>
      {header}
    </span>
  )
  if (!firstOrder) return <th {...look}>{label}</th>
  const direction = sort?.column === id ? sort.direction : null
  const next: Direction = direction ? (direction === 'asc' ? 'desc' : 'asc') : firstOrder
  return (
    <th {...look} aria-sort={direction ? ariaSort[direction] : 'none'}>
      <UnstyledButton className="sort-button" onClick={() => changeOrder(orderText({ column: id, direction: next }))}>
        {label}
        <span aria-hidden="true" data-idle={direction === null || undefined}>
          {direction ? arrows[direction] : ' ↕'}
        </span>
      </UnstyledButton>
    </th>
  )
}

/** A header and the cells below it are as wide, stay in sight, and go together. */
const widthOf = <Row,>({ isWide, isSpare }: TableColumn<Row>, isFirst: boolean) => ({
  'data-first': isFirst || undefined,
  'data-wide': isWide || undefined,
  'data-spare': isSpare,
})

interface SelectAllProps {
  readonly keys: readonly string[]
  readonly selection: Selection
}

function SelectAll({ keys, selection }: SelectAllProps) {
  const { size } = selection.keys
  return (
    <th {...as.header} className="select-cell">
      <label className="select-all">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = size > 0 && size < keys.length
          }}
          checked={size > 0 && size === keys.length}
          onChange={() => selection.toggleAll(keys)}
        />
        <span>Select all on this page</span>
      </label>
    </th>
  )
}

function BodyRow<Row>(props: DataTableProps<Row> & { readonly row: Row }) {
  const { row, columns, rowKey, nameOf = rowKey, selection = null, menu, open } = props
  const key = rowKey(row)
  const isSelected = selection?.keys.has(key) ?? false
  return (
    <tr
      {...as.row}
      {...(selection ? { 'aria-selected': isSelected } : {})}
      {...(open
        ? {
            onClick: (event: MouseEvent<HTMLElement>) => {
              if (!isPlain(event)) return
              // What opens then gives the focus back to the row.
              event.currentTarget.querySelector<HTMLElement>(nameIn)?.focus({ preventScroll: true })
              open(row)
            },
          }
        : {})}
    >
      {selection && (
        <td {...as.cell} className="select-cell">
          <input
            type="checkbox"
            aria-label={`Select ${nameOf(row)}`}
            checked={isSelected}
            onChange={() => selection.toggle(key)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td
          key={column.id}
          {...(at === 0 ? as.name : as.cell)}
          data-label={column.header}
          {...widthOf(column, at === 0)}
        >
          {at === 0 && open && !column.isLink ? (
            <UnstyledButton className="row-name" onClick={() => open(row)}>
              {column.cell(row)}
            </UnstyledButton>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {menu && (
        <td {...as.cell} className="menu-cell">
          <RowMenu name={nameOf(row)} actions={() => menu(row)} />
        </td>
      )}
    </tr>
  )
}

/** The name of a row, where it can be pressed. */
const nameIn = '[role="rowheader"] :is(a, button)'

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
  next.querySelector<HTMLElement>(isTick ? '.select-cell input' : nameIn)?.focus()
}
