import { failure } from '../errors/index.ts'
import { counted } from './aggregate-results.ts'
import { type ColumnType, plainCsv, readAs, shown } from './column-type.ts'
import { comparing, isWords } from './operators.ts'

export const boolean: ColumnType<'boolean'> = {
  name: 'boolean',
  sqlite: {
    column: 'integer',
    toText: 'cast($ as text)',
    toJson: "case $ when 1 then json('true') when 0 then json('false') end",
    casts: { text: "case $ when 1 then 'true' when 0 then 'false' end" },
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
  operators: comparing,
  isWords,
  isOrdered: true,
  aggregates: { count: counted },
  isMoment: false,
  compare: (one, other) => Number(one) - Number(other),
  toJson: (text) => (text === '1' ? 'true' : 'false'),
  // PostgreSQL's short form, which it writes rows with.
  toCsv: (value) => (typeof value === 'boolean' ? (value ? 't' : 'f') : plainCsv(value)),
  jsonBytesMax: () => 5,
  parse,
  parseOperand: parse,
}

/** PostgreSQL takes each beginning of these words that no other one has. */
const truths = /^\s*(t|tr|tru|true|y|ye|yes|on|1)\s*$/i
const untruths = /^\s*(f|fa|fal|fals|false|n|no|of|off|0)\s*$/i

/** `true` → `1`, `no` → `0`: numbers are what both engines can read. */
function parse(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
  if (truths.test(text)) return '1'
  if (untruths.test(text)) return '0'
  throw failure.valueInvalid('boolean', shown(value), 'Send true or false.')
}
