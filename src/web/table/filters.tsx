import { Button, Popover } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useNamedRow } from '../columns/row-picker.tsx'
import { Icon } from '../parts/icons.tsx'
import { nameOf, useResources } from '../rows/resources.ts'
import { type Filter, type FilterKind, filterText, splitValues, takesValue, wordsOf } from './filter.ts'
import { type Filtered, FilterForm } from './filter-form.tsx'
import type { TableColumn } from './table-column.ts'
import { changeFilters, type TableView } from './table-view.ts'

interface FiltersProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
}

const filteredOf = <Row,>(columns: readonly TableColumn<Row>[]): readonly Filtered[] =>
  columns.flatMap(({ id, header, filter }) => (filter ? [{ id, header, filter }] : []))

/** Adds a condition on any column. */
export function FilterButton<Row>({ columns, view }: FiltersProps<Row>) {
  const filtered = filteredOf(columns)
  if (filtered.length === 0) return null
  return (
    <FilterPopover columns={filtered} filter={null} save={(filter) => changeFilters([...view.filters, filter])}>
      {(toggle) => (
        <Button variant="default" size="xs" leftSection={<Icon name="filter" size={16} />} onClick={toggle}>
          Filter
        </Button>
      )}
    </FilterPopover>
  )
}

interface FilterPopoverProps extends ComponentProps<typeof FilterForm> {
  /** The button that opens it. */
  readonly children: (toggle: () => void) => ReactNode
}

function FilterPopover({ children, save, ...form }: FilterPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      width={280}
      withinPortal={false}
      trapFocus
    >
      <Popover.Target>{children(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          {...form}
          save={(filter) => {
            setOpen(false)
            save(filter)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The conditions that hold now. A click opens one, and the cross beside it takes it away. */
export function FilterPills<Row>({ columns, view: { filters } }: FiltersProps<Row>) {
  const filtered = filteredOf(columns)
  return filters.map((filter, at) => {
    const remove = () => changeFilters(filters.toSpliced(at, 1))
    const save = (changed: Filter) => changeFilters(filters.with(at, changed))
    const key = filterText(filter)
    const column = filtered.find(({ id }) => id === filter.column)
    if (!column) return <UnknownPill key={key} name={filter.column} remove={remove} />
    return <FilterPill key={key} column={column} columns={filtered} filter={filter} save={save} remove={remove} />
  })
}

function UnknownPill({ name, remove }: { readonly name: string; readonly remove: () => void }) {
  return (
    <Button
      size="xs"
      variant="light"
      color="red"
      className="filter-pill"
      rightSection={<Icon name="close" size={14} />}
      aria-label={`Remove the filter: ${name}, no such column`}
      onClick={remove}
    >
      <span className="ellipsis">
        <bdi className="strong">{name}</bdi>: no such column
      </span>
    </Button>
  )
}

interface FilterPillProps extends ComponentProps<typeof FilterForm> {
  readonly column: Filtered
  readonly filter: Filter
  readonly remove: () => void
}

function FilterPill({ column: { header, filter: kind }, remove, ...form }: FilterPillProps) {
  const { operator } = form.filter
  const text = `${header} ${wordsOf(kind, operator)}`
  const value = useValueWords(kind, form.filter)
  return (
    <div className="filter-pill">
      <FilterPopover {...form}>
        {(toggle) => (
          <Button size="xs" variant="light" aria-label={`Edit the filter: ${text} ${value}`} onClick={toggle}>
            <span className="ellipsis">
              {text} {takesValue(operator) && <bdi className="strong">{value}</bdi>}
            </span>
          </Button>
        )}
      </FilterPopover>
      <Button
        size="xs"
        variant="light"
        className="no-shrink"
        px={8}
        aria-label={`Remove the filter: ${text} ${value}`}
        onClick={remove}
      >
        <Icon name="close" size={14} />
      </Button>
    </div>
  )
}

/** The value of a filter as people know it: the name of a row, the labels of choices. */
function useValueWords({ references, choices }: FilterKind, { operator, value }: Filter): string {
  const to = useResources().find(({ name }) => name === references) ?? null
  const row = useNamedRow(to, to ? value : '')
  if (to) return row ? nameOf(to, row) : '…'
  const labelOf = (one: string) => choices?.find((choice) => choice.value === one)?.label ?? one
  return (operator === 'in' ? splitValues(value) : [value]).map(labelOf).join(', ')
}
