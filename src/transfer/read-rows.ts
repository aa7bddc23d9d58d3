import { ApiError, failure } from '../errors/index.ts'
import { type Column, isNeeded } from '../resources/define.ts'
import { labelOf } from '../resources/labels.ts'
import { parseCell } from '../resources/parse-cell.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { importableColumns } from './match-columns.ts'
import type { BadRow, ImportedRow, ImportPart, Problem } from './part.ts'
import type { TransferPlace } from './place.ts'
import { findTaken, resolveReferences } from './resolve-references.ts'

/** A row as the API takes it. */
export interface ReadRow {
  readonly source: ImportedRow
  readonly json: Readonly<Record<string, unknown>>
}

interface ReadRows {
  readonly good: readonly ReadRow[]
  readonly bad: readonly BadRow[]
}

/** Few enough that reading them takes a few milliseconds. */
const rowsInTurn = 10

/** Reads every row to its end, so that what is wrong with it is known at once. No row may have a key that is taken. */
export async function readRows(
  place: TransferPlace,
  part: ImportPart,
  taken: Iterable<string> = [],
): Promise<ReadRows> {
  const { resource } = part
  const [keys, { one }] = [new Set(taken), resource.labels]
  const readers = await Promise.all(
    importableColumns(resource).map(async (column): Promise<Reader> => {
      const read = await readerOf(place, part, column)
      const at = part.columns.indexOf(column.name)
      return { column, at, label: labelOf(resource, column), read: column.primaryKey ? onlyNew(read, keys, one) : read }
    }),
  )
  const good: ReadRow[] = []
  const bad: BadRow[] = []
  const tell = createTeller()
  for (const [at, source] of part.rows.entries()) {
    if (at % rowsInTurn === 0) await nextTurn()
    const { json, problems } = readRow(source, part, readers)
    if (problems.length === 0) good.push({ source, json })
    else bad.push({ ...source, problems: tell(problems) })
  }
  return { good, bad }
}

type Read = (cell: string) => unknown

async function readerOf(place: TransferPlace, part: ImportPart, column: Column): Promise<Read> {
  if (!column.references) return (cell) => parseCell(part.resource, column, cell)
  const resolve = await resolveReferences(place, column, textsOf(part, column))
  return (cell) => resolve(cell.trim())
}

/** What the cells of a column have, each text once. */
function textsOf({ rows, columns }: ImportPart, { name }: Column): ReadonlySet<string> {
  const at = columns.indexOf(name)
  const texts = new Set(rows.map(({ cells }) => cells[at]?.trim() ?? ''))
  texts.delete('')
  return texts
}

/** The keys in a part that rows have already. */
export const takenKeys = (place: TransferPlace, part: ImportPart): Promise<ReadonlySet<string>> =>
  findTaken(place, part.resource, textsOf(part, part.resource.primaryKey))

/** Refuses a key that is taken, also by another row of the file. */
function onlyNew(parse: Read, taken: Set<string>, one: string): Read {
  return (cell) => {
    const key = String(parse(cell.trim()))
    if (taken.has(key.toLowerCase())) throw failure.idTaken(one)
    taken.add(key.toLowerCase())
    return key
  }
}

interface Reader {
  readonly column: Column
  /** The place of its cell; -1 where the file has none. */
  readonly at: number
  readonly label: string
  readonly read: Read
}

/** Whoever has corrected these sees the others. */
const rowProblemsMax = 5

/** An empty cell is as if nothing was sent: the column has its default, or none. */
function readRow({ cells }: ImportedRow, { columns }: ImportPart, readers: readonly Reader[]) {
  const json: Record<string, unknown> = {}
  // What stands in the wrong place says nothing of its column.
  if (cells.length > columns.length) return { json, problems: [problemOf(tooManyCells())] }
  const problems: Problem[] = []
  for (const { column, at, label, read } of readers) {
    if (problems.length === rowProblemsMax) break
    const cell = cells[at] ?? ''
    try {
      if (cell.trim() !== '') json[column.name] = read(cell)
      else if (isNeeded(column)) throw failure.cellMissing()
    } catch (error) {
      problems.push(problemOf(refusalOf(error), label))
    }
  }
  return { json, problems }
}

/** The problems of a part that are told in full. Each may name twenty choices. */
const charactersMax = 250_000
/** A problem behind those. */
const messageMax = 200

/** Of rows behind many problems, only the first one is told, and shortened. */
function createTeller(): (problems: readonly Problem[]) => readonly Problem[] {
  let characters = 0
  return (problems) => {
    if (characters > charactersMax)
      return problems.slice(0, 1).map(({ code, message }) => ({ code, message: shortened(message), hint: null }))
    for (const { message, hint } of problems) characters += message.length + (hint?.length ?? 0)
    return problems
  }
}

const shortened = (message: string): string =>
  message.length > messageMax ? `${message.slice(0, messageMax).toWellFormed()}…` : message

const tooManyCells = (): ApiError =>
  failure.bodyInvalid('The row has more cells than the first line has names', 'Put a cell with a comma in quotes.')

export const problemOf = ({ code, message, more }: ApiError, label?: string): Problem => ({
  code,
  message: label === undefined ? message : `${label}: ${message}`,
  hint: more.hint ?? null,
})

/** What is wrong with the rows. Anything else, such as a database that is away, is thrown on. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 403) return error
  throw error
}
