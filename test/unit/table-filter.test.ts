import { expect, test } from 'bun:test'
import {
  type Comparable,
  choicesKind,
  dayKind,
  type FilterKind,
  idKind,
  joinValues,
  matches,
  numberKind,
  type Operator,
  splitValues,
  wholeNumberKind,
} from '../../src/web/table/filter.ts'
import { sortRows } from '../../src/web/table/sort-rows.ts'

const read = ({ check }: FilterKind, typed: readonly string[]) => typed.map((text) => check?.parse(text))

test('a number is taken as the table writes it, and nothing else is', () => {
  expect(read(numberKind, ['1,000,000', '-1 250.5', '.5', '1e3', "12'000"])).toEqual([
    '1000000',
    '-1250.5',
    '.5',
    '1e3',
    '12000',
  ])
  expect(read(numberKind, ['abc', '1,5', '1,00,000', '1.000.000', '12 000 000 x'])).toEqual(Array(5).fill(null))
  expect(read(wholeNumberKind, ['1,000', '-7', '1.5', '1e3', '9'.repeat(19)])).toEqual(['1000', '-7', null, null, null])
})

test('an id and a day are taken whole', () => {
  const id = '01a1e797-bb6f-756f-96de-46c26e8c7ce0'
  expect(read(idKind, [id, id.slice(0, 8), 'abc'])).toEqual([id, null, null])
  expect(read(dayKind, ['2026-01-31', '12026-01-31'])).toEqual(['2026-01-31', null])
})

test('several values are one text in the address, whatever is in them', () => {
  const values = ['won', 'a,b', '100%', '%2C']
  expect(joinValues(values)).toBe('won,a%2Cb,100%25,%252C')
  expect(splitValues(joinValues(values))).toEqual(values)
})

test('“is not” finds what has no value, and “is any of” does not', () => {
  const is = (operator: Operator, value: string, found: Comparable, kind = choicesKind) =>
    matches({ column: 'state', operator, value }, kind, found)
  expect([is('not', 'won', 'lost'), is('not', 'won', 'won'), is('not', 'won', null)]).toEqual([true, false, true])
  expect([is('in', 'won,lost', 'lost'), is('in', 'won,lost', 'open'), is('in', 'won', null)]).toEqual([
    true,
    false,
    false,
  ])
  expect([is('not', '1.0', 1, numberKind), is('not', '2', 1, numberKind)]).toEqual([false, true])
})

test('rows without a value come last in both directions', () => {
  const sorted = (direction: 'asc' | 'desc') => sortRows([null, 2, null, 10, 1], (row) => row, direction)
  expect(sorted('asc')).toEqual([1, 2, 10, null, null])
  expect(sorted('desc')).toEqual([10, 2, 1, null, null])
})
