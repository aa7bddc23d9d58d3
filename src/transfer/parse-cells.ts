import { failure } from '../errors/index.ts'
import { rowFieldsMax } from '../request/row-limits.ts'

/** What programs put between two cells. */
export const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The one that the line of names has most often, outside of quotes. */
export function findDelimiter(text: string): Delimiter {
  const [line = ''] = withoutMark(text)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 1)
  const counts = delimiters.map((one) => line.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/**
 * `a;"b; c"\n` → [['a', 'b; c']]. Takes what spreadsheets write: any of the delimiters, a byte order mark, any line ends, empty lines.
 * Unlike the API, which takes RFC 4180 alone.
 */
export const parseCells = (text: string, delimiter: Delimiter): string[][] =>
  parseLines(text, delimiter).map(({ cells }) => cells)

interface Line {
  /** As a spreadsheet numbers it: the first is 1, and those without a cell count. */
  readonly number: number
  readonly cells: string[]
}

/** The same, with the number of each line. */
export function parseLines(text: string, delimiter: Delimiter): Line[] {
  const lines: Line[] = []
  let number = 1
  let cells: string[] = []
  const source = withoutMark(text)
  for (let at = 0; at < source.length; ) {
    const { cell, end } = source[at] === '"' ? quotedCell(source, at) : plainCell(source, at, delimiter)
    cells.push(cell)
    if (cells.length > rowFieldsMax)
      throw failure.tooMuch('columns', rowFieldsMax, 'Leave out those that are not needed.')
    const isNext = source[end] === delimiter
    at = isNext ? end + 1 : afterLine(source, end)
    // A delimiter at the very end is followed by an empty cell.
    if (isNext && at === source.length) cells.push('')
    if (isNext && at < source.length) continue
    if (cells.length > 1 || cells[0] !== '') lines.push({ number, cells })
    number += 1
    cells = []
  }
  return lines
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

interface Cell {
  readonly cell: string
  readonly end: number
}

function quotedCell(text: string, start: number): Cell {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 }
  throw failure.bodyInvalid('Invalid csv', 'A quote is opened and not closed: double a quote within quotes.')
}

function plainCell(text: string, start: number, delimiter: Delimiter): Cell {
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { cell: text.slice(start, end), end }
}

function afterLine(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2
  if (at >= text.length || text[at] === '\n' || text[at] === '\r') return at + 1
  throw failure.bodyInvalid('Invalid csv', 'After a closing quote, there must be a delimiter or the end of the line.')
}
