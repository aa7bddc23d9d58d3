import { failure } from '../errors.ts'
import { type ColumnType, shown } from './column-type.ts'
import { comparing, searching } from './operators.ts'

/** What JSON makes of one character, at the most. */
const characterBytesMax = 6
const lengthUsual = 1000

export const text: ColumnType = {
  name: 'text',
  sqlite: { column: 'text', casts: { text: 'cast($ as text)' } },
  // "C" orders by code point, as SQLite does.
  postgres: { column: 'text collate "C"', name: 'text', isPlain: false },
  jsonSchema: { type: 'string', examples: ['Bridge'] },
  filterExample: 'ilike.*bridge*',
  operators: [...comparing, ...searching],
  aggregates: { count: 'bigint', max: 'same', min: 'same' },
  isMoment: false,
  // By code point: UTF-8 sorts so, and UTF-16 does not.
  compare: (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)),
  toJson: (value) => JSON.stringify(value),
  jsonBytesMax: ({ maxLength = lengthUsual }) => maxLength * characterBytesMax + 2,
  parse: (value, column) => {
    if (typeof value !== 'string')
      throw failure.valueInvalid('text', shown(value), `Send "${column}" as a JSON string.`)
    if (value.includes('\0') || !value.isWellFormed()) throw failure.textImpossible(column)
    return value
  },
  parseOperand: (operand) => operand,
}
