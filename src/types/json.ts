import { failure } from '../errors/index.ts'
import { counted } from './aggregate-results.ts'
import { asItIs, type ColumnType, compareAscii, nullWords, readAs, shown } from './column-type.ts'

const lengthDefault = 10_000

/** JSON, shown as it is stored. As PostgreSQL's `json`, it has neither order nor equality. */
export const plainJson: Omit<ColumnType, 'jsonSchema' | 'typescript' | 'parse' | 'withRules'> = {
  name: 'json',
  castsTo: ['text'],
  sqlite: { column: 'text', toText: '$', toJson: 'json($)', casts: { text: '$' } },
  // The driver would make JSON of a text that it sends as json.
  postgres: {
    ...readAs('json'),
    column: 'json',
    fromText: '$::text::json',
    fromOperand: '$::text::json',
    listOf: null,
  },
  isExact: true,
  filterExample: 'not.is.null',
  operators: ['is'],
  isNeverQuantified: true,
  isWords: nullWords,
  isOrdered: false,
  lacksEquality: true,
  aggregates: { count: counted },
  isMoment: false,
  compare: compareAscii,
  toJson: asItIs,
  toCsv: (value) => JSON.stringify(value),
  jsonBytesMax: ({ maxLength = lengthDefault }) => maxLength,
  parseOperand: asItIs,
  inFiles: { kind: 'JSON', hint: 'Files cannot have values for this column.' },
  brokenRule: (text, { maxLength = lengthDefault }) =>
    Buffer.byteLength(text) > maxLength ? `JSON of at most ${maxLength} bytes` : null,
}

/** A JSON object. */
export const json: ColumnType<'Record<string, unknown>'> = {
  ...plainJson,
  jsonSchema: { type: 'object', examples: [{ name: 'Bridge' }] },
  typescript: 'Record<string, unknown>',
  parse: (value, column) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw failure.valueInvalid('json', shown(value), `Send "${column}" as a JSON object.`)
    return JSON.stringify(value)
  },
}
