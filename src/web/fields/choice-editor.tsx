import { ActionIcon, Button, Checkbox, Input, NativeSelect, TextInput } from '@mantine/core'
import { colorStyle } from '../columns/choice.tsx'
import { Icon } from '../parts/icons.tsx'
import { MoveHandle } from '../parts/move-handle.tsx'
import { useReorder } from '../parts/reorder.ts'
import { type ChoiceForm, nameFrom, newChoice } from './field-form.ts'
import { type Color, colorOptions, isColor } from './field-types.ts'

interface ChoiceEditorProps {
  readonly choices: readonly ChoiceForm[]
  readonly change: (choices: readonly ChoiceForm[]) => void
  readonly error?: string
}

/** The values that can be chosen from, in their order. */
export function ChoiceEditor({ choices, change, error }: ChoiceEditorProps) {
  const keys = choices.map(({ key }) => key)
  const { handle, item } = useReorder(keys, (order) =>
    change(choices.toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))),
  )
  return (
    <fieldset className="plain-fieldset" {...(error ? { 'aria-invalid': true, tabIndex: -1 } : {})}>
      <legend>Choices</legend>
      <Input.Description mb={6}>
        A choice that rows have cannot be removed. Close it instead: then no further row gets it.
      </Input.Description>
      <ul className="choice-editor">
        {choices.map((choice, at) => (
          <li key={choice.key} {...item(choice.key)}>
            <MoveHandle name={choice.label || `choice ${at + 1}`} at={at} of={choices.length} {...handle(choice.key)} />
            <ChoiceRow
              choice={choice}
              at={at}
              change={(part) => change(choices.with(at, { ...choice, ...part }))}
              remove={() => change(choices.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ul>
      {error && (
        <Input.Error mb={6} role="alert">
          {error}
        </Input.Error>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => change([...choices, newChoice(nextColor(choices.length))])}
      >
        Add a choice
      </Button>
    </fieldset>
  )
}

const usualColors: readonly Color[] = ['gray', 'blue', 'green', 'red', 'orange', 'violet', 'teal', 'pink']
const nextColor = (at: number): Color => usualColors[at % usualColors.length] ?? 'gray'

interface ChoiceRowProps {
  readonly choice: ChoiceForm
  readonly at: number
  readonly change: (part: Partial<ChoiceForm>) => void
  readonly remove: () => void
}

function ChoiceRow({ choice, at, change, remove }: ChoiceRowProps) {
  const { label, value, color, closed, isStored } = choice
  const which = `choice ${at + 1}`
  return (
    <div className="choice-row">
      <TextInput
        size="xs"
        aria-label={`Label of ${which}`}
        placeholder="Label"
        dir="auto"
        maxLength={100}
        required
        value={label}
        onChange={(event) => change({ label: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        aria-label={`Value of ${which} in the API`}
        placeholder={nameFrom(label) || 'value'}
        classNames={{ input: 'mono' }}
        maxLength={64}
        autoComplete="off"
        readOnly={isStored}
        {...(isStored ? { title: 'The value of a choice stays as it is.', variant: 'filled' } : {})}
        value={value}
        onChange={(event) => change({ value: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label={`Color of ${which}`}
        data={colorOptions}
        value={color}
        leftSection={<span className="color-dot" style={colorStyle(color)} />}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          if (isColor(chosen)) change({ color: chosen })
        }}
      />
      <Checkbox
        size="xs"
        label="Closed"
        aria-label={`Close ${which} for further rows`}
        checked={closed}
        onChange={(event) => change({ closed: event.currentTarget.checked })}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${label || which}`} onClick={remove}>
        <Icon name="trash" size={16} />
      </ActionIcon>
    </div>
  )
}
