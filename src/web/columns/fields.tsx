import { Select, TagsInput, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import type { TypedCheck } from '../table/filter.ts'
import type { FieldProps } from './column-view.ts'

type Look = Pick<TextInputProps, 'type' | 'step' | 'inputMode' | 'maxLength'>

interface LineFieldProps extends FieldProps {
  readonly look?: Look
  /** What can be entered, where that is not any text. */
  readonly check?: TypedCheck
}

export function LineField({ entered, enter, input, look = {}, check }: LineFieldProps) {
  const typed = String(entered).trim()
  const isWrong = check && typed !== '' && check.parse(typed) === null
  return (
    <TextInput
      ref={(field) => field?.setCustomValidity(isWrong ? check.wrong : '')}
      {...input}
      {...look}
      autoComplete="off"
      dir="auto"
      value={String(entered)}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  )
}

/** The length up to which a text is taken for one line. */
const lineMax = 255

export function TextField(props: FieldProps) {
  const { column, entered, enter, input } = props
  const look = column.max_length === null ? {} : { maxLength: column.max_length }
  if (column.max_length !== null && column.max_length <= lineMax) return <LineField {...props} look={look} />
  return (
    <Textarea
      {...input}
      {...look}
      autosize
      dir="auto"
      minRows={2}
      maxRows={10}
      value={String(entered)}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  )
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

export function YesOrNoField({ entered, enter, input }: FieldProps) {
  return (
    <Select
      {...input}
      data={yesAndNo}
      value={entered === '' ? null : String(entered)}
      onChange={(value) => enter(value ?? '')}
      allowDeselect={false}
      clearable={!input.required}
    />
  )
}

export function ListField({ entered, enter, input }: FieldProps) {
  return (
    <TagsInput
      {...input}
      // The field for the next text is empty once the list is complete. An empty list is a value as well.
      required={false}
      description={`${input.description} Press Enter after each.`}
      value={typeof entered === 'string' ? [] : [...entered]}
      onChange={enter}
      // There is no list to open, which would take the key Escape for itself.
      dropdownOpened={false}
      allowDuplicates
      clearable
    />
  )
}
