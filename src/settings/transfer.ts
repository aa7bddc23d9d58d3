import { failure } from '../errors/index.ts'
import { allowOf } from '../methods.ts'
import { isNeeded, type Resource } from '../resources/define.ts'
import { labelOf } from '../resources/labels.ts'
import { exportRows } from '../transfer/export-rows.ts'
import { checkPart, writePart } from '../transfer/import-part.ts'
import { importableColumns, matchColumns } from '../transfer/match-columns.ts'
import { type Delimiter, delimiters, findDelimiter, parseCells, parseLines } from '../transfer/parse-cells.ts'
import { type BadRow, type ImportPart, partRowsMax } from '../transfer/part.ts'
import { findOwnResource } from '../transfer/place.ts'
import { ok, queryOf, rowsOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/rows.ts'

/** Rows as CSV, in and out. A file comes in parts: first all are checked, then all are written. */
export const transferRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/export/:resource', role: 'viewer', handle: download },
  { method: 'POST', path: '/api/import/:resource/preview', role: 'developer', handle: preview },
  { method: 'POST', path: '/api/import/:resource/check', role: 'developer', handle: check },
  { method: 'POST', path: '/api/import/:resource/write', role: 'developer', handle: write },
]

async function download(context: SettingsContext) {
  const resource = await findOwnResource(rowsOf(context), context.params.resource ?? '')
  const wanted = { resource: resource.name, query: queryOf(context.http), form: 'csv' } as const
  const answer = await exportRows(rowsOf(context), wanted, context.exchange)
  const file = `${resource.labels.many.replaceAll(' ', '-')}.csv`
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Content-Disposition': `attachment; filename="${file}"`,
      'Cache-Control': 'no-store',
    },
  }
}

const partBytesMax = 1_048_576
const previewRows = 8

async function preview(context: SettingsContext) {
  const resource = await writableOf(context)
  const { text } = await context.json(partBytesMax)
  if (typeof text !== 'string') throw failure.settingsBodyInvalid('"text" is no text', 'Send the start of a file.')
  const delimiter = findDelimiter(text)
  const [header = [], ...rows] = parseCells(text, delimiter)
  return ok<documents.ImportPreview>({
    delimiter,
    header,
    columns: matchColumns(resource, header),
    rows: rows.slice(0, previewRows),
    choices: importableColumns(resource).map((column) => ({
      name: column.name,
      label: labelOf(resource, column),
      needed: isNeeded(column),
    })),
  })
}

async function check(context: SettingsContext) {
  const part = await partOf(context)
  const bad = await checkPart(rowsOf(context), part)
  return ok<documents.ImportedPart>({ rows: part.rows.length, written: 0, bad: bad.map(documentOf) })
}

async function write(context: SettingsContext) {
  const { key, ...part } = await partOf(context)
  const bad = await writePart(rowsOf(context), part, key)
  const written = bad.length === 0 ? part.rows.length : 0
  return ok<documents.ImportedPart>({ rows: part.rows.length, written, bad: bad.map(documentOf) })
}

const documentOf = ({ row, cells, problems }: BadRow) => ({ row, cells, problems })

async function writableOf(context: SettingsContext): Promise<Resource> {
  const resource = await findOwnResource(rowsOf(context), context.params.resource ?? '')
  if (resource.isReadOnly) throw failure.resourceReadOnly('POST', resource.name, allowOf(resource.methods))
  return resource
}

/** `{ "text": "Bridge;Lot 1\\n", "delimiter": ";", "columns": ["bid_id", "project_name"], "first": 2, "skip": [] }` */
async function partOf(context: SettingsContext): Promise<ImportPart & { readonly key: string | null }> {
  const resource = await writableOf(context)
  const { text, delimiter, columns, first, skip = [], key = null } = await context.json(partBytesMax)
  if (typeof text !== 'string' || !isDelimiter(delimiter) || !isPlace(first) || !isList(skip, isPlace) || !isKey(key))
    throw failure.settingsBodyInvalid(
      'The part of the file is not as it should be',
      'Send "text", "delimiter", "columns" and "first"; "skip" for rows to leave out; "key" for a part that may be sent again.',
    )
  const known = importableColumns(resource).map(({ name }) => name)
  const isColumn = (value: unknown): value is string | null =>
    value === null || (typeof value === 'string' && known.includes(value))
  if (!isList(columns, isColumn) || new Set(columns.filter(Boolean)).size < columns.filter(Boolean).length)
    throw failure.settingsBodyInvalid('"columns" is no list of columns', `Use each at most once: ${known.join(', ')}.`)
  const rows = parseLines(text, delimiter)
  if (rows.length > partRowsMax)
    throw failure.tooMuch('rows in a part', partRowsMax, `Send parts of at most ${partRowsMax} rows.`)
  const left = new Set(skip)
  const numbered = rows
    .map(({ number, cells }) => ({ row: first + number - 1, cells }))
    .filter(({ row }) => !left.has(row))
  return { resource, columns, rows: numbered, key }
}

const isDelimiter = (value: unknown): value is Delimiter => (delimiters as readonly unknown[]).includes(value)

const isKey = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && /^[\w-]{1,100}$/.test(value))

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

const isList = <Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.length <= partRowsMax && value.every(isItem)
