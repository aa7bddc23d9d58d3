/** Some rows of a file, as they stand in it. */
export interface FilePart {
  readonly text: string
  /** The numbers of its first and its last line, as a spreadsheet shows them: the line of names is 1. */
  readonly first: number
  readonly last: number
  /** How many there are; lines without a cell are none. */
  readonly rows: number
}

/** The server writes so many rows as a whole, and takes no longer texts. */
const partRows = 500
const partCharacters = 100_000

/** Cuts a CSV file between its rows. What is in the cells is the server's to read. */
export function partsOf(text: string, delimiter: string): FilePart[] {
  const parts: FilePart[] = []
  const header = headerOf(text, delimiter)
  let [start, rows, first, next] = [header.end, 0, header.lines + 1, header.lines + 1]
  const cut = (end: number) => {
    if (rows > 0) parts.push({ text: text.slice(start, end), first, last: next - 1, rows })
    first = next
    start = end
    rows = 0
  }
  for (let at = start; at < text.length; ) {
    const end = recordEnd(text, at, delimiter)
    if (rows === partRows || (rows > 0 && end - start > partCharacters)) cut(at)
    if (!isBlank(text.slice(at, end))) rows += 1
    next += 1
    at = end
  }
  cut(text.length)
  return parts
}

/** Some rows of a part, by their numbers. */
export function pickRows(part: FilePart, numbers: readonly number[], delimiter: string): FilePart {
  let [text, number] = ['', part.first]
  for (let at = 0; at < part.text.length; number += 1) {
    const end = recordEnd(part.text, at, delimiter)
    if (numbers.includes(number)) text += part.text.slice(at, end)
    at = end
  }
  return { ...part, text, rows: numbers.length }
}

/** The start of a file, for a preview: whole rows only. */
export function startOf(text: string): string {
  if (text.length <= previewCharacters) return text
  const start = text.slice(0, previewCharacters)
  return start.slice(0, start.lastIndexOf('\n') + 1) || start
}

const previewCharacters = 10_000

/** Where the line of names ends, and which one it is. */
export function headerOf(text: string, delimiter: string): { readonly end: number; readonly lines: number } {
  let [at, lines] = [0, 0]
  while (at < text.length) {
    const end = recordEnd(text, at, delimiter)
    lines += 1
    if (!isBlank(text.slice(at, end))) return { end, lines }
    at = end
  }
  return { end: at, lines }
}

/** An empty line is no row. */
const isBlank = (record: string): boolean => /^\uFEFF?(?:"")?[\r\n]*$/.test(record)

/** Where the next row begins. A line break within quotes does not end a row, and quotes count only where a cell begins. */
function recordEnd(text: string, start: number, delimiter: string): number {
  for (let at = start; ; at += 1) {
    if (text[at] === '"') at = afterQuotes(text, at)
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1
    if (at >= text.length) return text.length
    if (text[at] !== delimiter) return text.startsWith('\r\n', at) ? at + 2 : at + 1
  }
}

function afterQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1
  return text.length
}
