import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'

const units = [
  { value: 's', label: 'per second' },
  { value: 'm', label: 'per minute' },
]

/** `100/s` → "100 per second" */
export function rateText(rate: string): string {
  const [amount = '', unit] = rate.split('/')
  return `${Number(amount).toLocaleString('en')} ${units.find(({ value }) => value === unit)?.label ?? ''}`
}

interface RateFieldProps {
  readonly rate: string | null
  readonly onChange: (rate: string | null) => void
  readonly isFirst?: boolean
  readonly error?: string
}

/** How many requests, and in what time. Nothing is no limit. */
export function RateField({ rate, onChange, isFirst = false, ...rest }: RateFieldProps) {
  const [amount = '', knownUnit] = rate?.split('/') ?? []
  const [unit, setUnit] = useState(knownUnit ?? 's')
  const change = (newAmount: string, newUnit: string) => onChange(newAmount === '' ? null : `${newAmount}/${newUnit}`)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label="Rate limit"
        description="Requests that it may send; empty for as many as the service allows anyway."
        type="number"
        min={1}
        max={999_999_999}
        step={1}
        placeholder="No limit of its own"
        autoComplete="off"
        {...(isFirst ? { 'data-autofocus': true } : {})}
        value={amount}
        onChange={(event) => change(event.currentTarget.value, unit)}
        {...rest}
      />
      <NativeSelect
        aria-label="Unit of the rate limit"
        data={units}
        value={unit}
        onChange={(event) => {
          setUnit(event.currentTarget.value)
          change(amount, event.currentTarget.value)
        }}
      />
    </Group>
  )
}
