import { failure } from '../errors/index.ts'
import type { Resource } from '../resources/define.ts'
import { type Arguments, textOf } from './tool.ts'

/** `after.<key>` goes on behind a row, and `offset.<n>` behind a number of rows. */
const pattern = /^(?:after\.(?<key>.+)|offset\.(?<offset>\d{1,9}))$/s

/** Rows in their usual order are found by their key, so that none is skipped where others were deleted meanwhile. */
const goesByKey = (given: Arguments): boolean => given.order === undefined && given.select === undefined

/** The parameters that skip the rows before the cursor. */
export function readCursor({ primaryKey }: Resource, given: Arguments): readonly (readonly [string, string])[] {
  const cursor = textOf(given, 'cursor')
  if (cursor === undefined) return []
  const { key, offset } = pattern.exec(cursor)?.groups ?? {}
  if (key !== undefined && goesByKey(given)) return [[primaryKey.name, `gt.${key}`]]
  if (offset !== undefined) return [['offset', offset]]
  throw failure.argumentInvalid(
    '"cursor" does not belong to these arguments',
    'Send the next_cursor of a result together with the arguments of that result.',
  )
}

/** The cursor behind the last of these rows, each as JSON. */
export function cursorBehind({ primaryKey }: Resource, given: Arguments, rows: readonly string[]): string {
  if (goesByKey(given)) return `after.${JSON.parse(rows.at(-1) ?? '{}')[primaryKey.name]}`
  const before = /^offset\.(\d+)$/.exec(textOf(given, 'cursor') ?? '')?.[1] ?? '0'
  return `offset.${Number(before) + rows.length}`
}
