import type { CSSProperties } from 'react'
import type { Choice as ChoiceValue } from '../api-types.ts'

/** The color of a choice as a CSS variable: its text stays readable on it in both themes. */
export const colorStyle = (color: string): CSSProperties =>
  ({ '--choice': `var(--mantine-color-${color}-6)` }) as CSSProperties

/** A value of a choice, in its color. */
function Choice({ label, color }: Pick<ChoiceValue, 'label' | 'color'>) {
  return (
    <span className="choice" style={colorStyle(color)} dir="auto" title={label}>
      {label}
    </span>
  )
}

interface ChoicesProps {
  readonly choices: readonly ChoiceValue[]
}

export function Choices({ choices }: ChoicesProps) {
  return (
    <span className="choice-list">
      {choices.map(({ value, label, color }) => (
        <Choice key={value} label={label} color={color} />
      ))}
    </span>
  )
}
