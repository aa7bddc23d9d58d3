import { isUtf8 } from 'node:buffer'
import type { Resource } from '../resources/define.ts'
import { checkPart, writePart } from '../transfer/import-part.ts'
import { matchColumns, missingColumns } from '../transfer/match-columns.ts'
import { findDelimiter, parseLines } from '../transfer/parse-cells.ts'
import { type BadRow, type ImportedRow, type ImportPart, partRowsMax, problemsText } from '../transfer/part.ts'
import { findOwnResource, type TransferPlace } from '../transfer/place.ts'
import { type Command, CommandError, type Output } from './command.ts'
import { company, openPlace, parseResource, resource } from './export.ts'
import { counted, type Progress, progressOn, silent } from './progress.ts'
import { withDatabase } from './with-database.ts'

const rowsMax = 100_000
const shownBad = 10

export const importCommand: Command = {
  summary: 'Create rows of a company from a CSV file: all rows are checked before any is written',
  words: ['FILE'],
  flags: {
    company,
    resource,
    check: { meaning: 'Check the file, and write nothing' },
    'skip-bad': { meaning: 'Write the good rows although others are bad' },
    report: { value: 'FILE', meaning: 'Write every bad row, and why, into a new CSV file' },
  },
  run: ({ words: [path = ''], flags, config, wantsJson }) => {
    const name = parseResource(flags.resource ?? '')
    return withDatabase(config, async (db) => {
      const place = await openPlace(db, config, flags.company ?? '')
      const file = await readFile(path, await findOwnResource(place, name))
      const progress = wantsJson ? silent : progressOn(process.stderr)
      const bad = await checkAll(place, file, progress).finally(() => progress.end())
      if (flags.report !== undefined && bad.length > 0) await writeReport(flags.report, file, bad)
      const isRefused = bad.length > 0 && flags['skip-bad'] === undefined
      if (flags.check !== undefined || isRefused) return told(file, { bad, written: 0, isStopped: false })
      const end = await writeAll(place, file, { bad, progress }).finally(() => progress.end())
      return told(file, end)
    })
  },
}

/** A file with its rows, and the columns that they are for. */
interface ImportFile {
  readonly resource: Resource
  readonly header: readonly string[]
  readonly columns: readonly (string | null)[]
  readonly rows: readonly ImportedRow[]
}

async function readFile(path: string, found: Resource): Promise<ImportFile> {
  const bytes = await Bun.file(path)
    .bytes()
    .catch((error: Error) => {
      throw new CommandError(`Cannot read ${path}: ${error.message}.`)
    })
  // A picture or a workbook, or a file whose letters would get lost.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new CommandError(`${path} is no CSV file in UTF-8. In a spreadsheet, save it as "CSV UTF-8".`)
  const text = new TextDecoder().decode(bytes)
  const [names, ...lines] = parseLines(text, findDelimiter(text))
  const header = names?.cells ?? []
  const columns = matchColumns(found, header)
  const [missing] = missingColumns(found, columns)
  if (missing)
    throw new CommandError(
      `${path} has no column for "${missing.name}". Its first line has: ${header.join(', ')}. Name one of them ${missing.name}.`,
    )
  if (lines.length > rowsMax)
    throw new CommandError(`${path} has ${counted(lines.length)}, and one import takes ${rowsMax}. Split the file.`)
  return { resource: found, header, columns, rows: lines.map(({ number, cells }) => ({ row: number, cells })) }
}

function* partsOf({ resource, columns }: ImportFile, rows: readonly ImportedRow[]): Generator<ImportPart> {
  for (let at = 0; at < rows.length; at += partRowsMax)
    yield { resource, columns, rows: rows.slice(at, at + partRowsMax) }
}

async function checkAll(place: TransferPlace, file: ImportFile, progress: Progress): Promise<BadRow[]> {
  const bad: BadRow[] = []
  let done = 0
  for (const part of partsOf(file, file.rows)) {
    bad.push(...(await checkPart(place, part)))
    done += part.rows.length
    progress.show('checked', done, file.rows.length)
  }
  return bad
}

interface End {
  readonly bad: readonly BadRow[]
  readonly written: number
  /** By a signal. */
  readonly isStopped: boolean
}

/** Ends before a part that cannot be written any more, and after a part where a signal came. */
async function writeAll(
  place: TransferPlace,
  file: ImportFile,
  { bad, progress }: { readonly bad: readonly BadRow[]; readonly progress: Progress },
): Promise<End> {
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const left = new Set(bad.map(({ row }) => row))
  const rows = file.rows.filter(({ row }) => !left.has(row))
  let written = 0
  for (const part of partsOf(file, rows)) {
    const refused = await writePart(place, part, null)
    if (refused.length > 0) return { bad: [...bad, ...refused], written, isStopped }
    written += part.rows.length
    progress.show('written', written, rows.length)
    if (isStopped && written < rows.length) return { bad, written, isStopped }
  }
  return { bad, written, isStopped: false }
}

function told({ header, columns, rows, resource: { labels } }: ImportFile, { bad, written, isStopped }: End): Output {
  const matched = Object.fromEntries(header.map((title, at) => [title, columns[at] ?? null]))
  const left = header.filter((_, at) => columns[at] === null)
  const lines = [
    `${counted(rows.length)} checked, ${bad.length} bad. ${written.toLocaleString('en-US')} ${labels.many} written${isStopped ? ', then stopped by a signal' : ''}.`,
    ...(left.length > 0 ? [`Not imported: ${left.join(', ')}.`] : []),
    ...bad.slice(0, shownBad).map((one) => `Row ${one.row}: ${problemsText(one)}`),
    ...(bad.length > shownBad ? [`And ${bad.length - shownBad} more: --report FILE lists all.`] : []),
  ]
  const json = { rows: rows.length, written, columns: matched, stopped: isStopped, bad: bad.map(documentOf) }
  return { json, text: lines.join('\n'), exitCode: bad.length > 0 || isStopped ? 1 : 0 }
}

const documentOf = ({ row, problems }: BadRow) => ({ row, problems })

async function writeReport(path: string, { header }: ImportFile, bad: readonly BadRow[]): Promise<void> {
  if (await Bun.file(path).exists()) throw new CommandError(`${path} exists already.`)
  const lines = bad.map((one) => [String(one.row), problemsText(one), ...one.cells])
  const text = [['row', 'what is wrong', ...header], ...lines].map((line) => line.map(cell).join(','))
  await Bun.write(path, `${text.join('\n')}\n`)
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
