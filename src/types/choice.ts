import type { ColumnType } from './column-type.ts'
import { findChoice } from './find-choice.ts'
import { text } from './text.ts'

/** Of each value. */
export const choiceLengthMax = 64

/** One of several values, which are rules of the column. */
export const choice: ColumnType<'string'> = {
  ...text,
  jsonSchema: { type: 'string', examples: ['open'] },
  filterExample: 'in.(open,closed)',
  jsonBytesMax: () => text.jsonBytesMax({ maxLength: choiceLengthMax }),
  inFiles: { ...text.inFiles, read: (cell, rules) => findChoice(cell.trim(), rules) },
  brokenRule: (value, { choices = [] }) =>
    choices.some((one) => one.value === value) ? null : `one of the values ${valuesOf(choices)}`,
}

const valuesOf = (choices: readonly { readonly value: string }[]): string =>
  choices.map(({ value }) => value).join(', ')
