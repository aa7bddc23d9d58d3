import { ApiFailure, isFailure, type send } from '../api.ts'
import type { BadRow, ImportedPart } from '../api-types.ts'
import { type FilePart, pickRows } from './file-parts.ts'

/** A file, and where its cells go. */
export interface Chosen {
  readonly resource: string
  readonly parts: readonly FilePart[]
  readonly delimiter: string
  readonly columns: readonly (string | null)[]
}

export interface Progress {
  readonly done: number
  readonly total: number
}

interface Run {
  readonly send: typeof send
  readonly show: (progress: Progress) => void
  /** Asked before each part. */
  readonly isCancelled: () => boolean
}

export interface Checked {
  readonly rows: number
  readonly bad: readonly BadRow[]
  readonly isCancelled: boolean
}

export const rowsIn = (parts: readonly FilePart[]): number => parts.reduce((sum, { rows }) => sum + rows, 0)

/** Looks at all rows, and writes none. */
export async function checkFile(chosen: Chosen, run: Run): Promise<Checked> {
  const total = rowsIn(chosen.parts)
  const bad: BadRow[] = []
  let done = 0
  for (const part of chosen.parts) {
    if (run.isCancelled()) return { rows: done, bad, isCancelled: true }
    run.show({ done, total })
    bad.push(...(await sendPart(run, chosen, 'check', part)).bad)
    done += part.rows
  }
  return { rows: done, bad, isCancelled: false }
}

export interface Written {
  readonly written: number
  /** Of the part that could not be written: the import ended before it. */
  readonly bad: readonly BadRow[]
  readonly isCancelled: boolean
  /** Why it ended before its time. */
  readonly error: unknown
  /** The bad rows that were left out before it ended. */
  readonly skipped: readonly FilePart[]
  /** What was not written, from the part on at which it ended. */
  readonly rest: readonly FilePart[]
}

/** Writes the good rows part by part, and ends at the first part that cannot be written. */
export async function writeFile(chosen: Chosen, bad: readonly BadRow[], run: Run): Promise<Written> {
  const id = crypto.randomUUID()
  const total = rowsIn(chosen.parts) - bad.length
  const skipped: FilePart[] = []
  let written = 0
  for (const [at, part] of chosen.parts.entries()) {
    const ended = { written, skipped, bad: [], isCancelled: false, error: null, rest: chosen.parts.slice(at) }
    if (run.isCancelled()) return { ...ended, isCancelled: true }
    run.show({ done: written, total })
    const skip = bad.map(({ row }) => row).filter((row) => row >= part.first && row <= part.last)
    const left = skip.length === 0 ? [] : [pickRows(part, skip, chosen.delimiter)]
    if (skip.length === part.rows) {
      skipped.push(...left)
      continue
    }
    try {
      const more = { skip, key: `${id}-${part.first}` }
      const { written: now, bad: refused } = await sendPart(run, chosen, 'write', part, more)
      if (refused.length > 0) return { ...ended, bad: refused }
      written += now
      skipped.push(...left)
    } catch (error) {
      return { ...ended, error }
    }
  }
  return { written, skipped, bad: [], isCancelled: false, error: null, rest: [] }
}

const triesMax = 5
const pauseMs = 1_000

/** With its key, a part can be sent again where it is not known whether it was written. */
async function sendPart(
  { send }: Run,
  { resource, delimiter, columns }: Chosen,
  step: 'check' | 'write',
  { text, first, last }: FilePart,
  more: object = {},
): Promise<ImportedPart> {
  for (let tries = 1; ; tries += 1) {
    try {
      const body = { text, delimiter, columns, first, ...more }
      return await send<ImportedPart>('POST', `/import/${resource}/${step}`, body)
    } catch (error) {
      if (tries === triesMax || !mayPass(error)) throw withRows(error, first, last)
      await new Promise((resolve) => setTimeout(resolve, pauseMs * 2 ** tries))
    }
  }
}

/** Of what cannot be read as CSV, the server cannot say where it stands in the file. */
const withRows = (error: unknown, first: number, last: number): unknown =>
  isFailure(error, 'PGRST102') && error instanceof Error
    ? new Error(`Between row ${first} and row ${last}, the file is no CSV: a quote is missing or too many.`)
    : error

const mayPass = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 503)

/** Every bad row as a file: why it is bad, then its cells. */
export function reportOf(header: readonly string[], bad: readonly BadRow[]): string {
  const lines = bad.map(({ row, problems, cells }) => [String(row), problems.map(textOf).join(' '), ...cells])
  return [['row', 'what is wrong', ...header], ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

const textOf = ({ message, hint }: BadRow['problems'][number]): string =>
  hint === null ? `${message}.` : `${message}. ${hint}`

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
