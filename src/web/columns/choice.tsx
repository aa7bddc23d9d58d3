import type { CSSProperties } from 'react'
import type { Choice as ChoiceValue } from '../api-types.ts'
import { NoValue } from './cells.tsx'

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
  /** Whether to show the first, and how many more there are. */
  readonly isLine?: boolean
}

/** The choices of a column that have these values. One that is not known any more shows its value. */
export const chosenOf = (choices: readonly ChoiceValue[] | null, values: readonly string[]): readonly ChoiceValue[] =>
  values.map(
    (value) =>
      choices?.find((choice) => choice.value === value) ?? { value, label: value, color: 'gray', closed: false },
  )

export function Choices({ choices, isLine = false }: ChoicesProps) {
  if (choices.length === 0) return <NoValue />
  const shown = isLine ? choices.slice(0, 1) : choices
  const labels = choices.map(({ label }) => label).join(', ')
  return (
    <span className="choice-list">
      {shown.map(({ value, label, color }) => (
        <Choice key={value} label={label} color={color} />
      ))}
      {shown.length < choices.length && (
        <span className="no-wrap" title={labels}>
          +{choices.length - shown.length}
        </span>
      )}
    </span>
  )
}
