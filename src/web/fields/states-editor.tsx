import { Checkbox, Input, MultiSelect, NativeSelect, Stack, Switch } from '@mantine/core'
import type { ErrorAt } from '../parts/field-errors.ts'
import { type FieldForm, valueAndLabel } from './field-form.ts'
import { StateGraph } from './state-graph.tsx'

interface StatesEditorProps {
  readonly form: FieldForm
  readonly change: (part: Partial<FieldForm>) => void
  readonly errorAt: ErrorAt
}

/** Which value a new row has, and which may follow which. */
export function StatesEditor({ form, change, errorAt }: StatesEditorProps) {
  const { hasStates, isOnlyStart, choices, transitions, initial } = form
  const states = choices.map((choice) => ({ ...choice, label: valueAndLabel(choice).label || '…' }))
  return (
    <Stack gap="xs">
      <Switch
        label="Allow only some changes"
        description="Rows then go from state to state, such as lead, won, done. Any other change is refused."
        checked={hasStates}
        onChange={(event) =>
          change({ hasStates: event.currentTarget.checked, initial: initial || (choices[0]?.key ?? '') })
        }
      />
      {hasStates && <StateGraph states={states} transitions={transitions} initial={initial} />}
      {(hasStates || isOnlyStart) && <Ends form={form} change={change} errorAt={errorAt} />}
      {hasStates && (
        <>
          {states.map(({ key, label }) => (
            <MultiSelect
              key={key}
              size="xs"
              label={`${label} can become`}
              comboboxProps={{ withinPortal: false }}
              data={states
                .filter((other) => other.key !== key)
                .map((other) => ({ value: other.key, label: other.label }))}
              value={(transitions[key] ?? []).filter((to) => choices.some((one) => one.key === to))}
              onChange={(next) => change({ transitions: { ...transitions, [key]: next } })}
              placeholder={transitions[key]?.length ? '' : 'Nothing: it stays'}
            />
          ))}
          {errorAt('transitions').error && <Input.Error role="alert">{errorAt('transitions').error}</Input.Error>}
        </>
      )}
    </Stack>
  )
}

/** How a row begins. */
function Ends({ form: { choices, initial, start }, change, errorAt }: StatesEditorProps) {
  const open = choices.filter(({ closed }) => !closed)
  const isMissing = initial === '' && errorAt('initial').error !== undefined
  return (
    <>
      <NativeSelect
        label="A new row is"
        size="xs"
        data={[
          { value: '', label: 'Without a value' },
          ...open.map((choice) => ({ value: choice.key, label: valueAndLabel(choice).label })),
        ]}
        value={initial}
        onChange={(event) => change({ initial: event.currentTarget.value })}
        {...(isMissing ? { error: 'Choose what a new row is.' } : errorAt('initial'))}
      />
      <Checkbox
        size="xs"
        label="A new row may have any other value, too"
        description="For imports of rows that are further on already."
        checked={start === 'any'}
        onChange={(event) => change({ start: event.currentTarget.checked ? 'any' : 'initial' })}
      />
    </>
  )
}
