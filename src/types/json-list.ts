import { failure } from '../errors/index.ts'
import { type ColumnType, shown } from './column-type.ts'
import { plainJson } from './json.ts'

/** A list of JSON objects, shown as it is stored. */
export const jsonList: ColumnType<'Record<string, unknown>[]'> = {
  ...plainJson,
  jsonSchema: { type: 'array', items: { type: 'object' }, examples: [[{ value: 'open' }]] },
  typescript: 'Record<string, unknown>[]',
  parse: (value, column) => {
    if (!Array.isArray(value))
      throw failure.valueInvalid('json', shown(value), `Send "${column}" as a JSON array of objects.`)
    return JSON.stringify(value)
  },
}
