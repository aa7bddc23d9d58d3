import { Select, TextInput } from '@mantine/core'
import { dayMs } from '../parts/when.tsx'

/** When a credential ends: after some days, on a date, or never. */
export interface ExpiryForm {
  readonly choice: string
  readonly date: string
}

const choices = [
  { value: '90', label: 'In 90 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date …' },
  { value: 'none', label: 'Never' },
]

interface ExpiryFieldProps {
  readonly form: ExpiryForm
  readonly change: (form: ExpiryForm) => void
  readonly error?: string
}

export function ExpiryField({ form, change, ...rest }: ExpiryFieldProps) {
  return (
    <>
      <Select
        label="Expires"
        data={choices}
        value={form.choice}
        onChange={(value) => change({ ...form, choice: value ?? '90' })}
        allowDeselect={false}
        {...(form.choice === 'date' ? {} : rest)}
      />
      {form.choice === 'date' && (
        <TextInput
          label="Last day"
          type="date"
          required
          withAsterisk={false}
          min={dayText(new Date(Date.now() + dayMs))}
          value={form.date}
          onChange={(event) => change({ ...form, date: event.currentTarget.value })}
          {...rest}
        />
      )}
    </>
  )
}

/** A date means the end of that day, where the person is. */
export function expiryTime({ choice, date }: ExpiryForm): string | null {
  if (choice === 'none') return null
  if (choice === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(choice) * dayMs).toISOString()
}

/** The form for a credential as it is. */
export const expiryFormOf = (at: string | null): ExpiryForm =>
  at === null ? { choice: 'none', date: '' } : { choice: 'date', date: dayText(new Date(at)) }

const dayText = (time: Date): string =>
  [time.getFullYear(), String(time.getMonth() + 1).padStart(2, '0'), String(time.getDate()).padStart(2, '0')].join('-')
