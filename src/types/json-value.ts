import type { ColumnType } from './column-type.ts'
import { plainJson } from './json.ts'

/** Any JSON value, shown as it is stored. */
export const jsonValue: ColumnType<'unknown'> = {
  ...plainJson,
  jsonSchema: {
    type: ['string', 'number', 'boolean', 'array', 'object'],
    items: { type: 'string' },
    examples: ['open'],
  },
  typescript: 'unknown',
  parse: (value) => JSON.stringify(value),
}
