import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { RowPicker } from '../columns/row-picker.tsx'
import { useResources } from '../rows/resources.ts'
import { type Filter, type FilterKind, joinValues, type Operator, splitValues, takesValue, wordsOf } from './filter.ts'

/** A column that can be filtered by. */
export interface Filtered {
  readonly id: string
  readonly header: string
  readonly filter: FilterKind
}

interface FilterFormProps {
  readonly columns: readonly Filtered[]
  /** The one to begin with; null to add one. */
  readonly filter: Filter | null
  readonly save: (filter: Filter) => void
}

interface Entered {
  readonly operator?: Operator
  readonly value?: string
}

/** Asks for one condition. What is wrong with its value is said at the field. */
export function FilterForm({ columns, filter, save }: FilterFormProps) {
  const [chosen, setChosen] = useState(filter?.column ?? columns[0]?.id ?? '')
  const [entered, setEntered] = useState<Entered>(filter ?? {})
  const [error, setError] = useState<string | null>(null)
  const column = columns.find(({ id }) => id === chosen)
  if (!column) return null
  const { filter: kind } = column
  const operator = kind.operators.find((one) => one === entered.operator) ?? kind.operators[0] ?? 'eq'
  const value = entered.value ?? (operator === 'in' ? '' : (kind.choices?.[0]?.value ?? ''))
  const enter = (next: Entered) => {
    setEntered(next)
    setError(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const read = takesValue(operator) ? readValue(kind, value.trim()) : ''
    if (read === null) setError(kind.check?.wrong ?? wrongOf[kind.input])
    else save({ column: column.id, operator, value: read })
  }
  return (
    // The browser would say it in its own words, and only for some of the fields.
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <NativeSelect
          label="Column"
          size="xs"
          data={columns.map(({ id, header }) => ({ value: id, label: header }))}
          value={chosen}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            enter({})
          }}
        />
        <NativeSelect
          label="Condition"
          size="xs"
          data={kind.operators.map((one) => ({ value: one, label: wordsOf(kind, one) }))}
          value={operator}
          onChange={(event) => {
            const found = kind.operators.find((one) => one === event.currentTarget.value)
            if (found) enter({ ...(kind.choices ? {} : entered), operator: found })
          }}
        />
        {takesValue(operator) && (
          <ValueField
            kind={kind}
            isMany={operator === 'in'}
            value={value}
            error={error}
            change={(text) => enter({ operator, value: text })}
          />
        )}
        <Button type="submit" size="xs">
          {filter ? 'Save filter' : 'Add filter'}
        </Button>
      </Stack>
    </form>
  )
}

/** What was entered as the value of a filter; null where it is none. */
const readValue = ({ check }: FilterKind, typed: string): string | null =>
  typed === '' || !check ? typed || null : check.parse(typed)

const wrongOf: Readonly<Record<FilterKind['input'], string>> = {
  text: 'Enter a text.',
  number: 'Enter a number.',
  day: 'Enter a day.',
  choice: 'Choose at least one.',
  reference: 'Choose one.',
}

interface ValueFieldProps {
  readonly kind: FilterKind
  /** Whether several can be chosen. */
  readonly isMany: boolean
  readonly value: string
  readonly error: string | null
  readonly change: (value: string) => void
}

const inputs = {
  text: {},
  number: { inputMode: 'decimal' },
  day: { type: 'date' },
} as const

function ValueField({ kind, isMany, value, error, change }: ValueFieldProps) {
  const to = useResources().find(({ name }) => name === kind.references)
  const look = { label: 'Value', size: 'xs', required: true, withAsterisk: false, error } as const
  if (kind.input === 'reference') return to ? <RowPicker to={to} id={value} change={change} {...look} /> : null
  if (kind.input === 'choice' && isMany)
    return (
      <Checkbox.Group {...look} value={[...splitValues(value)]} onChange={(values) => change(joinValues(values))}>
        <Stack gap={6} my={4} className="filter-choices">
          {kind.choices?.map((choice) => (
            <Checkbox key={choice.value} size="xs" value={choice.value} label={choice.label} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
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
