import { failure } from '../errors.ts'
import { parseTimestamp } from './timestamp.ts'

/** How values of one kind of column are read and stored. Values travel as canonical text. */
export interface ColumnType {
  /** As PostgreSQL spells it in its messages. */
  readonly name: string
  readonly sqlType: { readonly sqlite: string; readonly postgres: string }
  /** The same in words of JSON Schema, and a value to show. */
  readonly jsonSchema: { readonly type: string; readonly format?: string; readonly examples: readonly string[] }
  /** Any spelling that a client may send → the one spelling that is stored, or a failure. */
  parse(value: unknown, column: string): string
  /** The same for a value in a filter, which need not be one that could be stored. */
  parseOperand(text: string): string
}

export const columnTypes = {
  uuid: {
    name: 'uuid',
    sqlType: { sqlite: 'text', postgres: 'uuid' },
    jsonSchema: { type: 'string', format: 'uuid', examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
    parse: parseUuid,
    parseOperand: parseUuid,
  },
  text: {
    name: 'text',
    // "C" orders by code point, as SQLite does.
    sqlType: { sqlite: 'text', postgres: 'text collate "C"' },
    jsonSchema: { type: 'string', examples: ['Bridge'] },
    parse: (value, column) => {
      if (typeof value !== 'string')
        throw failure.valueInvalid('text', shown(value), `Send "${column}" as a JSON string.`)
      if (value.includes('\0') || !value.isWellFormed()) throw failure.textImpossible(column)
      return value
    },
    parseOperand: (text) => text,
  },
  timestamp: {
    name: 'timestamp with time zone',
    // PostgreSQL's JSON spelling in UTC, which happens to sort by time as plain text.
    sqlType: { sqlite: 'text', postgres: 'timestamptz' },
    jsonSchema: { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00+00:00'] },
    parse: (value) => parseTimestamp(String(value)),
    parseOperand: parseTimestamp,
  },
} as const satisfies Record<string, ColumnType>

export type ColumnTypeName = keyof typeof columnTypes

function parseUuid(value: unknown): string {
  if (typeof value === 'string' && canonicalUuid.test(value)) return value
  if (typeof value !== 'string' || !uuidSpelling.test(value)) {
    throw failure.valueInvalid('uuid', shown(value), 'A UUID looks like 01890a5d-ac96-774b-bcce-b302099a8057.')
  }
  return value
    .replace(/[{}-]/g, '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** PostgreSQL takes hyphens after any four digits, and braces. */
const uuidSpelling = /^(\{([0-9a-f]{4}-?){7}[0-9a-f]{4}\}|([0-9a-f]{4}-?){7}[0-9a-f]{4})$/i

/** A value as it was sent, if it is short. What is nested may be deep enough to take seconds. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}'
  const text = JSON.stringify(value) ?? ''
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}
