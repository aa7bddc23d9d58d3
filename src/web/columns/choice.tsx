import type { CSSProperties } from 'react'
import type { Choice as ChoiceValue } from '../api-types.ts'

/** The color of a choice as a CSS variable: its text stays readable on it in both themes. */
export const colorStyle = (color: string): CSSProperties =>
  ({ '--choice': `var(--mantine-color-${color}-6)` }) as CSSProperties

/** A value of a choice, in its color. */
export function Choice({ label, color }: Pick<ChoiceValue, 'label' | 'color'>) {
  return (
    <span className="choice" style={colorStyle(color)} dir="auto" title={label}>
      {label}
    </span>
  )
}

interface ChoicesProps {
  readonly choices: readonly ChoiceValue[]
}

/** The choices of a column that have these values. One that is not known any more shows its value. */
export const chosenOf = (choices: readonly ChoiceValue[] | null, values: readonly string[]): readonly ChoiceValue[] =>
  values.map(
    (value) =>
      choices?.find((choice) => choice.value === value) ?? { value, label: value, color: 'gray', closed: false },
  )

export function Choices({ choices }: ChoicesProps) {
  return (
    <span className="choice-list">
      {choices.map(({ value, label, color }) => (
        <Choice key={value} label={label} color={color} />
      ))}
    </span>
  )
}
