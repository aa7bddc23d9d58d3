import { Button, NativeSelect, Popover, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { RowPicker, useNamedRow } from '../columns/row-picker.tsx'
import { Icon } from '../parts/icons.tsx'
import { nameOf, useResources } from '../rows/resources.ts'
import { type Filter, type FilterKind, filterText, takesValue, wordsOf } from './filter.ts'
import type { TableColumn } from './table-column.ts'
import { changeFilters, type TableView } from './table-view.ts'

interface FiltersProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
}

/** A column that can be filtered by. */
interface Filtered {
  readonly id: string
  readonly header: string
  readonly filter: FilterKind
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

interface FilterFormProps {
  readonly columns: readonly Filtered[]
  readonly add: (filter: Filter) => void
}

function FilterForm({ columns, add }: FilterFormProps) {
  const [chosen, setChosen] = useState(columns[0]?.id ?? '')
  const [entered, setEntered] = useState<Partial<Filter>>({})
  const column = columns.find(({ id }) => id === chosen)
  if (!column) return null
  const { filter: kind } = column
  const operator = entered.operator ?? kind.operators[0] ?? 'eq'
  const value = entered.value ?? kind.choices?.[0]?.value ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (value.trim() !== '' || !takesValue(operator)) add({ column: column.id, operator, value: value.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <NativeSelect
          label="Column"
          size="xs"
          data={columns.map(({ id, header }) => ({ value: id, label: header }))}
          value={chosen}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            setEntered({})
          }}
        />
        <NativeSelect
          label="Condition"
          size="xs"
          data={kind.operators.map((one) => ({ value: one, label: wordsOf(kind, one) }))}
          value={operator}
          onChange={(event) => {
            const found = kind.operators.find((one) => one === event.currentTarget.value)
            if (found) setEntered({ ...entered, operator: found })
          }}
        />
        {takesValue(operator) && (
          <ValueField kind={kind} value={value} change={(text) => setEntered({ ...entered, operator, value: text })} />
        )}
        <Button type="submit" size="xs">
          Add filter
        </Button>
      </Stack>
    </form>
  )
}

interface ValueFieldProps {
  readonly kind: FilterKind
  readonly value: string
  readonly change: (value: string) => void
}

const inputs = {
  text: {},
  number: { inputMode: 'decimal' },
  day: { type: 'date' },
} as const

function ValueField({ kind, value, change }: ValueFieldProps) {
  const to = useResources().find(({ name }) => name === kind.references)
  const look = { label: 'Value', size: 'xs', required: true, withAsterisk: false } as const
  if (kind.input === 'reference') return to ? <RowPicker to={to} id={value} change={change} {...look} /> : null
  if (kind.input === 'choice')
    return (
      <NativeSelect
        {...look}
        data={(kind.choices ?? []).map((choice) => ({ ...choice }))}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...look}
      {...inputs[kind.input]}
      dir="auto"
      autoComplete="off"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

/** The conditions that hold now. A click takes one away. */
export function FilterPills<Row>({ columns, view }: FiltersProps<Row>) {
  const filtered = filteredOf(columns)
  return view.filters.map((filter, at) => {
    const column = filtered.find(({ id }) => id === filter.column)
    if (!column) return null
    const remove = () => changeFilters(view.filters.toSpliced(at, 1))
    return <FilterPill key={filterText(filter)} column={column} filter={filter} remove={remove} />
  })
}

interface FilterPillProps {
  readonly column: Filtered
  readonly filter: Filter
  readonly remove: () => void
}

function FilterPill({ column: { header, filter: kind }, filter: { operator, value }, remove }: FilterPillProps) {
  const to = useResources().find(({ name }) => name === kind.references) ?? null
  const row = useNamedRow(to, to ? value : '')
  const choice = kind.choices?.find((one) => one.value === value)?.label
  const shown = to && row ? nameOf(to, row) : (choice ?? (to ? '…' : value))
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
