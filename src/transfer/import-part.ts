import { ApiError, failure } from '../errors/index.ts'
import type { Column, Resource } from '../resources/define.ts'
import { findColumn } from '../resources/index.ts'
import { askRows, type TransferPlace } from './place.ts'
import { type Resolve, resolveReferences } from './resolve-references.ts'

/** Rows that are written all or not at all. */
export const partRowsMax = 500

/** Some rows of a file. */
export interface ImportPart {
  readonly resource: Resource
  /** The column of each cell; null where a cell is left out. */
  readonly columns: readonly (string | null)[]
  readonly rows: readonly ImportedRow[]
}

export interface ImportedRow {
  /** Its place in the file; the first row after the names is 1. */
  readonly row: number
  readonly cells: readonly string[]
}

export interface BadRow extends ImportedRow {
  readonly code: string
  readonly message: string
  readonly hint: string | null
}

/** Finds every row that could not be written, and writes nothing. */
export async function checkPart(place: TransferPlace, part: ImportPart): Promise<BadRow[]> {
  const { made, bad } = await makeRows(place, part)
  return [...bad, ...(await findRefused(place, part, made))].toSorted((a, b) => a.row - b.row)
}

/** Writes all rows, or none: then it says which ones are to blame. With the same key, a part is written once, however often it is sent. */
export async function writePart(
  place: TransferPlace,
  part: ImportPart,
  key: string | null,
): Promise<readonly BadRow[]> {
  const { made, bad } = await makeRows(place, part)
  if (bad.length > 0 || made.length === 0) return bad
  try {
    await insert(place, part, made, key === null ? {} : { 'Idempotency-Key': key })
    return []
  } catch (error) {
    const refusal = refusalOf(error)
    const found = await findRefused(place, part, made)
    if (found.length === 0) throw refusal
    return found
  }
}

/** A row as the API takes it. */
interface MadeRow {
  readonly source: ImportedRow
  readonly json: Readonly<Record<string, string>>
}

interface Made {
  readonly made: readonly MadeRow[]
  readonly bad: readonly BadRow[]
}

async function makeRows(place: TransferPlace, part: ImportPart): Promise<Made> {
  const { resource, rows } = part
  const columns = part.columns.map((name) => (name === null ? null : findColumn(resource, name)))
  const resolvers = await Promise.all(columns.map((column, at) => resolverOf(place, part, column, at)))
  const keys = new Set<string>()
  const made: MadeRow[] = []
  const bad: BadRow[] = []
  for (const source of rows) {
    try {
      const json = rowOf(source, columns, resolvers)
      const key = json[resource.primaryKey.name]?.toLowerCase()
      if (key !== undefined && keys.has(key)) throw failure.duplicate(resource.name, resource.primaryKey.name)
      if (key !== undefined) keys.add(key)
      made.push({ source, json })
    } catch (error) {
      bad.push(badRow(source, refusalOf(error)))
    }
  }
  return { made, bad }
}

/** Null where cells are taken as they are. */
async function resolverOf(
  place: TransferPlace,
  { resource, rows }: ImportPart,
  column: Column | null,
  at: number,
): Promise<Resolve | null> {
  if (!column?.references) return null
  const texts = new Set(rows.map(({ cells }) => cells[at]?.trim() ?? ''))
  texts.delete('')
  return resolveReferences(place, resource, column, texts)
}

/** An empty cell is as if nothing was sent: the column has its default, or none. */
function rowOf(
  { cells }: ImportedRow,
  columns: readonly (Column | null)[],
  resolvers: readonly (Resolve | null)[],
): Record<string, string> {
  if (cells.length > columns.length)
    throw failure.bodyInvalid(
      'The row has more cells than the first line has names',
      'Put a cell with a comma in quotes.',
    )
  const row: Record<string, string> = {}
  for (const [at, column] of columns.entries()) {
    const text = cells[at] ?? ''
    if (column === null || text.trim() === '') continue
    const value = resolvers[at]?.(text.trim()) ?? text
    if (value instanceof ApiError) throw value
    row[column.name] = value
  }
  return row
}

/** Tries the rows together; where that fails, each half by itself, and so on. */
async function findRefused(place: TransferPlace, part: ImportPart, rows: readonly MadeRow[]): Promise<BadRow[]> {
  const [first] = rows
  if (first === undefined) return []
  try {
    await insert(place, part, rows, trial)
    return []
  } catch (error) {
    const refusal = refusalOf(error)
    const last = rows.at(-1) ?? first
    if (rows.length === 1) return [badRow(first.source, refusal)]
    const half = Math.ceil(rows.length / 2)
    const found = [
      ...(await findRefused(place, part, rows.slice(0, half))),
      ...(await findRefused(place, part, rows.slice(half))),
    ]
    // Two rows that exclude each other may stand in different halves.
    return found.length > 0 ? found : [badRow(last.source, refusal)]
  }
}

const trial = { Prefer: 'tx=rollback' } as const

async function insert(
  place: TransferPlace,
  { resource, columns }: ImportPart,
  rows: readonly MadeRow[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const names = columns.filter((name) => name !== null)
  await askRows(place, {
    method: 'POST',
    resource: resource.name,
    query: `columns=${names.map(encodeURIComponent).join(',')}`,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Prefer: ['return=minimal', 'missing=default', headers.Prefer].filter(Boolean).join(', '),
    },
    body: JSON.stringify(rows.map(({ json }) => json)),
  })
}

/** What is wrong with the rows. Anything else, such as a database that is away, is thrown on. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 403) return error
  throw error
}

const badRow = (source: ImportedRow, { code, message, more }: ApiError): BadRow => ({
  ...source,
  code,
  message,
  hint: more.hint ?? null,
})
