import { expect, test } from 'bun:test'
import { parseCells, parseLines } from '../../src/transfer/parse-cells.ts'
import { partsOf } from '../../src/web/transfer/file-parts.ts'

test('a file is cut between its rows, and rows are numbered', () => {
  const rows = Array.from({ length: 1234 }, (_, at) => `${at},"a ""b""\n${at}, c",5" pipe`)
  const parts = partsOf(`\uFEFF\r\nid,"na\nme",size\r\n${rows.join('\r\n')}\r\n\r\n`, ',')
  // As a spreadsheet numbers them: the empty first line is 1, the names are 2.
  expect(parts.map(({ first, last, rows }) => [first, last, rows])).toEqual([
    [3, 502, 500],
    [503, 1002, 500],
    [1003, 1237, 234],
  ])
  const cells = parts.flatMap(({ text }) => parseCells(text, ','))
  expect(cells).toHaveLength(1234)
  expect(cells[1233]).toEqual(['1233', 'a "b"\n1233, c', '5" pipe'])
})

const files = [
  ['a\n\n""\n1\r2\n"x"', ','],
  ['a;b\n;\n"";""\n;', ';'],
  ['a\tb\n"1\t\n2"\t3', '\t'],
  ['a\n1', ','],
  ['a', ','],
  ['', ','],
  ['\n\n', ','],
  [`a\n${'x'.repeat(250_000)}\ny\n`, ','],
] as const

test('lines without a cell count where lines are numbered, on the page as on the server', () => {
  const text = 'a,b\n1,2\n\n3,4\n\n\n"5\n5",6\n'
  expect(parseLines(text, ',').map(({ number, cells }) => [number, cells[0]])).toEqual([
    [1, 'a'],
    [2, '1'],
    [4, '3'],
    [7, '5\n5'],
  ])
  expect(partsOf(text, ',')).toEqual([{ text: text.slice(4), first: 2, last: 7, rows: 3 }])
})

test('each part has as many rows as the server finds in it', () => {
  for (const [text, delimiter] of files) {
    const parts = partsOf(text, delimiter)
    for (const { text: part, rows } of parts) expect(parseCells(part, delimiter).length).toBe(rows)
    const [, ...all] = parseCells(text, delimiter)
    expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(all.length)
  }
})
