import { failure } from '../errors/index.ts'
import { counted } from './aggregate-results.ts'
import { asItIs, type ColumnType, plainCsv, readAs, shown } from './column-type.ts'
import { isWords, orderOperators } from './operators.ts'

export const boolean: ColumnType<'boolean'> = {
  name: 'boolean',
  castsTo: ['integer', 'text', 'char'],
  sqlite: {
    column: 'integer',
    toText: 'cast($ as text)',
    fromFields: 'cast($ ->> @ as integer)',
    toJson: "case $ when 1 then json('true') when 0 then json('false') end",
    casts: {
      integer: '$',
      text: "case $ when 1 then 'true' when 0 then 'false' end",
      char: "case $ when 1 then 't' when 0 then 'f' end",
    },
  },
  postgres: {
    ...readAs('boolean'),
    column: 'boolean',
    fromText: '$::text::boolean',
    fromOperand: '$::text::boolean',
    toText: '$::int::text',
  },
  isExact: false,
  jsonSchema: { type: 'boolean', examples: [true] },
  typescript: 'boolean',
  filterExample: 'is.true',
  operators: orderOperators,
  isWords,
  isOrdered: true,
  aggregates: { count: counted },
  isMoment: false,
  compare: (one, other) => Number(one) - Number(other),
  toJson: (text) => (text === '1' ? 'true' : 'false'),
  // PostgreSQL's short form.
  toCsv: (value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : plainCsv(value)),
  jsonBytesMax: () => 5,
  parse,
  parseOperand: parse,
  inFiles: { kind: 'a yes or a no', hint: 'Write yes or no, or true or false.' },
  indexKey: asItIs,
}

/** PostgreSQL accepts every unique prefix of these words. */
const trueWords = /^\s*(t|tr|tru|true|y|ye|yes|on|1)\s*$/i
const falseWords = /^\s*(f|fa|fal|fals|false|n|no|of|off|0)\s*$/i

/** `true` → `1`, `no` → `0`: both engines can read the digits. */
function parse(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
  if (trueWords.test(text)) return '1'
  if (falseWords.test(text)) return '0'
  throw failure.valueInvalid('boolean', shown(value), 'Send true or false.')
}
