import { TextInput } from '@mantine/core'

interface NameFieldProps {
  readonly description?: string
  readonly value: string
  readonly change: (value: string) => void
  readonly error?: string
}

/** The name that people give to a thing of theirs: the first field of its dialog. */
export const NameField = ({ change, ...props }: NameFieldProps) => (
  <TextInput
    label="Name"
    required
    withAsterisk={false}
    maxLength={255}
    autoComplete="off"
    dir="auto"
    data-autofocus
    onChange={(event) => change(event.currentTarget.value)}
    {...props}
  />
)
