import type { Json, JsonObject } from '../docs/schemas.ts'
import { failure } from '../errors/index.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import type { Call } from '../rest/call.ts'
import { collectText } from './collect-text.ts'
import { cursorBehind, readCursor } from './cursor.ts'
import { selectSchema } from './select-schema.ts'
import { type Action, type Arguments, refuseOthers, resultCharactersMax, textOf } from './tool.ts'

const limitDefault = 20
const limitMax = 100

export const listRows: Action = {
  verb: 'list',
  method: 'GET',
  title: ({ labels }) => `List ${labels.many}`,
  description: ({ labels, description }) =>
    `Returns ${labels.many} as {"rows": […], "next_cursor": …}. ${description} ` +
    'Send the same arguments with "cursor" set to next_cursor for more rows; it is null after the last one. ' +
    'To count, set "select" to "count()".',
  inputSchema: (resource) => ({ type: 'object', properties: propertiesOf(resource), additionalProperties: false }),
  ask: (resource, given) => {
    refuseOthers(given, Object.keys(propertiesOf(resource)))
    const query = new URLSearchParams(filtersOf(resource, given))
    for (const name of ['and', 'or', 'select', 'order']) {
      const text = textOf(given, name)
      if (text !== undefined) query.append(name, text)
    }
    query.append('limit', String(limitOf(given)))
    for (const [name, value] of readCursor(resource, given)) query.append(name, value)
    // A line for each row: numbers keep all of their digits, and a long page can be cut between two rows.
    return { query, headers: { Accept: 'application/x-ndjson' } }
  },
  show: showPage,
}

function propertiesOf(resource: Resource): JsonObject {
  return {
    filters: {
      type: 'object',
      description:
        'Only rows that fit all of these. Each is "operator.value" or "not.operator.value", such as "eq.5" or "in.(a,b)". ' +
        'Of embedded rows: "other.column", "other.order", "other.limit".',
      properties: Object.fromEntries(
        [...resource.columns.values()].map((column) => [column.name, filterSchema(column)]),
      ),
      additionalProperties: { type: 'string' },
    },
    and: {
      type: 'string',
      description: 'Only rows that fit all of these conditions in brackets. For two conditions on one column.',
      examples: [conditionsOf(resource)],
    },
    or: {
      type: 'string',
      description: 'Only rows that fit one of these conditions in brackets.',
      examples: [conditionsOf(resource)],
    },
    select: selectSchema(resource),
    order: {
      type: 'string',
      description: 'Columns to sort by, each with .asc or .desc; by the order of creation if left out.',
      examples: ['created_at.desc'],
    },
    limit: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault, description: 'Rows at most.' },
    cursor: { type: 'string', description: 'The next_cursor of the previous result.' },
  }
}

/** `(id.not.is.null,project_name.ilike.*bridge*)` */
const conditionsOf = ({ columns }: Resource): string =>
  `(${[...columns.values()].map((column) => `${column.name}.${typeOf(column).filterExample}`).join(',')})`

const filterSchema = (column: Column): Json => ({
  type: 'string',
  description: `Operators: ${typeOf(column).operators.join(', ')}.`,
  examples: [typeOf(column).filterExample],
})

function filtersOf(resource: Resource, { filters }: Arguments): [string, string][] {
  if (filters === undefined || filters === null) return []
  if (typeof filters !== 'object' || Array.isArray(filters))
    throw failure.argumentInvalid('"filters" must be an object', 'Write it as {"column": "operator.value"}.')
  return Object.entries(filters).map(([name, value]) => {
    // With a dot it is about embedded rows. Anything else must not be taken for a parameter such as "limit".
    if (!name.includes('.')) findColumn(resource, name)
    if (typeof value === 'string') return [name, value]
    throw failure.argumentInvalid(`"${name}" in "filters" must be a string`, 'Write it as "operator.value".')
  })
}

function limitOf({ limit = limitDefault }: Arguments): number {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limitMax) return Number(limit)
  throw failure.argumentInvalid(
    `"limit" must be an integer from 1 to ${limitMax}`,
    'Send the next_cursor of one result as "cursor" to get the rows behind it.',
  )
}

async function showPage({ answer, result, resource }: Call, given: Arguments): Promise<string> {
  const text = await collectText(answer.body, resultCharactersMax)
  const lines = text.split('\n').slice(0, -1)
  const rows = linesWithin(lines, resultCharactersMax)
  if (rows.length === 0 && text !== '') throw failure.resultTooLong(resultCharactersMax)
  const hasMore = result.more || rows.length < lines.length
  const cursor = hasMore ? cursorBehind(resource, given, rows) : null
  return `{"rows":[${rows.join(',')}],"next_cursor":${JSON.stringify(cursor)}}`
}

/** As many of the first lines as are not longer than that together. */
function linesWithin(lines: readonly string[], charactersMax: number): readonly string[] {
  let characters = 0
  const end = lines.findIndex((line) => {
    characters += line.length + 1
    return characters > charactersMax
  })
  return end < 0 ? lines : lines.slice(0, end)
}
