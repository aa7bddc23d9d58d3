import type { ColumnType } from './column-type.ts'
import { plainJson } from './json.ts'

/** Any JSON value, shown as it is stored. A list is one of texts: the default of a choice of several. */
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
