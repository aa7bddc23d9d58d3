import type { ImportPreview } from '../api-types.ts'

/** Columns that every row needs, and that no cell goes to. */
export const missingOf = ({ choices }: ImportPreview, columns: readonly (string | null)[]): ImportPreview['choices'] =>
  choices.filter(({ name, needed }) => needed && !columns.includes(name))
