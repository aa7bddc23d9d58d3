import { expect, test } from 'bun:test'
import { ApiError } from '../../src/errors/index.ts'
import { parseFilter } from '../../src/request/parse-filter.ts'
import { parsePreferences } from '../../src/request/parse-preferences.ts'

function hintOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    return error instanceof ApiError ? String(error.more.hint) : ''
  }
  return ''
}

test('an operator that is not known offers the nearest one, and all', () => {
  const hint = hintOf(() => parseFilter('project_name', 'ilikee.x', []))
  expect(hint).toStartWith('Perhaps you meant "ilike". ')
  expect(hint).toContain('isdistinct')
  expect(hintOf(() => parseFilter('project_name', 'zzzzzzzz.x', []))).not.toContain('Perhaps')
})

test('a preference that is not known offers the nearest one, and all', () => {
  const hint = hintOf(() => parsePreferences('handling=strict, retrun=minimal'))
  expect(hint).toStartWith('Perhaps you meant return=minimal. Known preferences: ')
})
