import { Group, MultiSelect, Select, type SelectProps } from '@mantine/core'
import type { Choice as ChoiceValue } from '../api-types.ts'
import { allowedNext, choiceOf, mayLoseValue } from './allowed-values.ts'
import { Choice } from './choice.tsx'
import type { FieldProps } from './column-view.ts'

/** Chooses one value: of a field with states, only those that may follow. */
export function ChoiceField({ column, row = null, entered, enter, input }: FieldProps) {
  const before = choiceOf(column, row)
  const all = column.choices ?? []
  const offered = [...all.filter(({ value }) => value === before), ...allowedNext(column, before)]
  const isFixed = before === null ? (column.states?.starts ?? null) !== null : !mayLoseValue(column)
  return (
    <Select
      {...input}
      data={all.filter((choice) => offered.includes(choice)).map(({ value, label }) => ({ value, label }))}
      renderOption={({ option }) => <Option choice={all.find(({ value }) => value === option.value)} />}
      value={entered === '' ? null : String(entered)}
      onChange={(value) => enter(value ?? '')}
      allowDeselect={false}
      clearable={!input.required && !isFixed}
    />
  )
}

/** Chooses several. */
export function ChoicesField({ column, entered, enter, input }: FieldProps) {
  const all = column.choices ?? []
  const chosen: readonly string[] = typeof entered === 'string' ? [] : entered
  const offered = all.filter(({ value, closed }) => !closed || chosen.includes(value))
  return (
    <MultiSelect
      {...input}
      required={false}
      comboboxProps={{ withinPortal: false }}
      data={offered.map(({ value, label }) => ({ value, label }))}
      renderOption={({ option }) => <Option choice={all.find(({ value }) => value === option.value)} />}
      value={[...chosen]}
      onChange={enter}
      clearable
    />
  )
}

const Option = ({
  choice,
}: {
  readonly choice: ChoiceValue | undefined
}): ReturnType<NonNullable<SelectProps['renderOption']>> =>
  choice && <Group gap="xs">{<Choice label={choice.label} color={choice.color} />}</Group>
