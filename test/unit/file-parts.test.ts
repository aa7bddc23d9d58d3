import { expect, test } from 'bun:test'
import { parseCells } from '../../src/transfer/parse-cells.ts'
import { partsOf } from '../../src/web/transfer/file-parts.ts'

test('a file is cut between its rows, and rows are numbered', () => {
  const rows = Array.from({ length: 1234 }, (_, at) => `${at},"a ""b""\n${at}, c",5" pipe`)
  const parts = partsOf(`\uFEFF\r\nid,"na\nme",size\r\n${rows.join('\r\n')}\r\n\r\n`, ',')
  expect(parts.map(({ first, rows }) => [first, rows])).toEqual([
    [1, 500],
    [501, 500],
    [1001, 234],
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

test('each part has as many rows as the server finds in it', () => {
  for (const [text, delimiter] of files) {
    const parts = partsOf(text, delimiter)
    for (const { text: part, rows } of parts) expect(parseCells(part, delimiter).length).toBe(rows)
    const [, ...all] = parseCells(text, delimiter)
    expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(all.length)
  }
})
