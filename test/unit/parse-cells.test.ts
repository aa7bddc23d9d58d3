import { expect, test } from 'bun:test'
import { bid, project } from '../../src/resources/index.ts'
import { matchColumns, missingColumns } from '../../src/transfer/match-columns.ts'
import { findDelimiter, parseCells } from '../../src/transfer/parse-cells.ts'

const parsed = (text: string) => parseCells(text, findDelimiter(text))

test.each<[string, string[][]]>([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n1;2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a\tb\r1\t2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '"a,b",c\n"x ""y""\nz",',
    [
      ['a,b', 'c'],
      ['x "y"\nz', ''],
    ],
  ],
  ['a,b\n\n,\n1', [['a', 'b'], ['', ''], ['1']]],
  ['name\n5" pipe\n', [['name'], ['5" pipe']]],
  ['', []],
])('%j is taken apart', (text, cells) => expect(parsed(text)).toEqual(cells))

test.each(['a\n"b', 'a\n"b"c'])('%j is refused', (text) => expect(() => parsed(text)).toThrow('Invalid csv'))

test('names of columns are matched by the definition', () => {
  expect(matchColumns(project, ['ID', 'Bid', 'Project name', 'created_at', 'Notes'])).toEqual([
    ...['id', 'bid_id', 'project_name', null, null],
  ])
  expect(matchColumns(project, ['bid id', 'Project', 'Name'])).toEqual(['bid_id', 'project_name', null])
  expect(matchColumns(bid, ['name'])).toEqual(['bid_name'])
  expect(missingColumns(project, ['project_name', null]).map(({ name }) => name)).toEqual(['bid_id'])
})
