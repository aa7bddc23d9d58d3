import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import { useNamedRow } from '../columns/row-picker.tsx'
import { Icon } from '../parts/icons.tsx'
import { nameOf, useResources } from '../rows/resources.ts'
import { type Filter, filterText, splitValues, takesValue, wordsOf } from './filter.ts'
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
  const [isOpen, setOpen] = useState(false)
  const filtered = filteredOf(columns)
  if (filtered.length === 0) return null
  const add = (filter: Filter) => {
    setOpen(false)
    changeFilters([...view.filters, filter])
  }
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
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="filter" size={16} />}
          onClick={() => setOpen(!isOpen)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm columns={filtered} add={add} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The conditions that hold now. A click takes one away. */
export function FilterPills<Row>({ columns, view }: FiltersProps<Row>) {
  const filtered = filteredOf(columns)
  return view.filters.map((filter, at) => {
    const column = filtered.find(({ id }) => id === filter.column)
    const remove = () => changeFilters(view.filters.toSpliced(at, 1))
    if (!column) return <UnknownPill key={filterText(filter)} name={filter.column} remove={remove} />
    return <FilterPill key={filterText(filter)} column={column} filter={filter} remove={remove} />
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

interface FilterPillProps {
  readonly column: Filtered
  readonly filter: Filter
  readonly remove: () => void
}

function FilterPill({ column: { header, filter: kind }, filter: { operator, value }, remove }: FilterPillProps) {
  const to = useResources().find(({ name }) => name === kind.references) ?? null
  const row = useNamedRow(to, to ? value : '')
  const labelOf = (one: string) => kind.choices?.find((choice) => choice.value === one)?.label ?? one
  const words = (operator === 'in' ? splitValues(value) : [value]).map(labelOf).join(', ')
  const shown = to ? (row ? nameOf(to, row) : '…') : words
  const text = `${header} ${wordsOf(kind, operator)}`
  return (
    <Button
      size="xs"
      variant="light"
      className="filter-pill"
      rightSection={<Icon name="close" size={14} />}
      aria-label={`Remove the filter: ${text} ${shown}`}
      onClick={remove}
    >
      <span className="ellipsis">
        {text} {takesValue(operator) && <bdi className="strong">{shown}</bdi>}
      </span>
    </Button>
  )
}
