import { describe, expect, test } from 'bun:test'
import { ApiError } from '../../src/errors/index.ts'
import type { Column } from '../../src/resources/define.ts'
import { parseCell } from '../../src/resources/parse-cell.ts'
import { project } from '../../src/resources/project.ts'

const choice = (value: string, label = value) => ({ value, label, color: 'gray', isClosed: false })
const choices = [
  choice('low', 'High'),
  choice('high', 'Top'),
  choice('best', 'top'),
  choice('a,b', 'Both'),
  choice('a'),
]

function read(type: Column['type'], cell: string, rules: Partial<Column> = {}): unknown {
  try {
    return parseCell(project, { name: 'floors', type, description: '', ...rules }, cell)
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

describe('a cell of a choice', () => {
  test.each([
    ['high', 'high'],
    [' HIGH ', 'low'],
    ['both', 'a,b'],
    ['Top', '"Top" is the label of more than one choice'],
    ['medium', '"medium" is none of High, Top, top, Both, a'],
  ])('%s', (cell, expected) => expect(read('choice', cell, { choices })).toBe(expected))
})

describe('a cell of several choices', () => {
  test.each<[string, unknown]>([
    ['high, High', ['high', 'low']],
    ['{high,"a,b"}', ['high', 'a,b']],
    ['{High}', ['low']],
    ['a,b', ['a,b']],
    ['a,high,', ['a', 'high']],
    ['{}', []],
    ['{high', '"{high" is not a list of choices'],
    ['a,c', '"c" is none of High, Top, top, Both, a'],
    ['a,A', '"a,A" is not allowed'],
    // Nobody chooses so much, and to look for each would take long.
    ['a,'.repeat(10_001), `"${'a,'.repeat(31)}a… is not a list of choices`],
  ])('%s', (cell, expected) => expect(read('choices', cell, { choices })).toEqual(expected))
})

describe('a cell of another type', () => {
  test.each<[Column['type'], string, unknown]>([
    ['boolean', 'Yes', 'Yes'],
    ['boolean', 'maybe', '"maybe" is not a yes or a no'],
    ['integer', '12', '12'],
    ['integer', '1,200', '"1,200" is not a whole number'],
    ['decimal', '1,234.50', '"1,234.50" is not a number'],
    ['number', '1.5e3', '1.5e3'],
    ['date', '2026-02-30', '"2026-02-30" is not a date'],
    ['timestamp', 'soon', '"soon" is not a time'],
    ['email', 'ada', '"ada" is not allowed'],
    ['text', ' as it is ', ' as it is '],
  ])('%s: %s', (type, cell, expected) => expect(read(type, cell)).toBe(expected))
})
