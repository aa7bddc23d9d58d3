import type { FieldChoice, FieldRules, FieldType } from '../api-types.ts'

export type RuleName = keyof FieldRules

interface TypeWords {
  readonly label: string
  readonly hint: string
  readonly rules: readonly RuleName[]
  /** Why it cannot be indexed. */
  readonly noIndex?: string
}

/** What people call each type, and the rules that it has. */
export const fieldTypes: Readonly<Record<FieldType, TypeWords>> = {
  text: { label: 'Text', hint: 'A site, a reference, a note.', rules: ['min_length', 'max_length'] },
  choice: { label: 'Choice', hint: 'One of several values, such as a status.', rules: [] },
  choices: {
    label: 'Several choices',
    hint: 'Any number of values of a list.',
    rules: ['min_choices', 'max_choices'],
    noIndex: 'A field of several choices cannot be indexed.',
  },
  integer: { label: 'Integer', hint: 'A count.', rules: ['minimum', 'maximum'] },
  decimal: { label: 'Decimal', hint: 'An exact number, such as money.', rules: ['minimum', 'maximum', 'scale'] },
  number: { label: 'Number', hint: 'A measured value, in double precision.', rules: ['minimum', 'maximum'] },
  boolean: { label: 'Yes or no', hint: '', rules: [] },
  date: { label: 'Date', hint: 'A day.', rules: ['minimum', 'maximum'] },
  timestamp: { label: 'Date and time', hint: 'A moment.', rules: ['minimum', 'maximum'] },
  url: { label: 'Web address', hint: 'A link that starts with http:// or https://.', rules: ['max_length'] },
  email: { label: 'E-mail address', hint: '', rules: [] },
}

export const ruleLabels: Readonly<Record<RuleName, string>> = {
  min_length: 'Fewest characters',
  max_length: 'Most characters',
  minimum: 'Minimum',
  maximum: 'Maximum',
  min_choices: 'Fewest choices',
  max_choices: 'Most choices',
  scale: 'Digits after the decimal point',
}

/** Those whose entry is a value of the field itself. */
export const isLimit = (rule: RuleName): rule is 'minimum' | 'maximum' => rule === 'minimum' || rule === 'maximum'

export const hasChoices = (type: FieldType): boolean => type === 'choice' || type === 'choices'

const colorLabels: Readonly<Record<FieldChoice['color'], string>> = {
  gray: 'Gray',
  red: 'Red',
  pink: 'Pink',
  grape: 'Purple',
  violet: 'Violet',
  indigo: 'Indigo',
  blue: 'Blue',
  cyan: 'Cyan',
  teal: 'Teal',
  green: 'Green',
  lime: 'Lime',
  yellow: 'Yellow',
  orange: 'Orange',
}

export type Color = FieldChoice['color']
export const colorOptions = Object.entries(colorLabels).map(([value, label]) => ({ value, label }))
export const isColor = (text: string): text is Color => Object.hasOwn(colorLabels, text)
