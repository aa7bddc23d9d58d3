import { expect, test } from 'bun:test'
import type { Column, Resource } from '../../src/resources/define.ts'
import { bid } from '../../src/resources/index.ts'
import type { TransferPlace } from '../../src/transfer/place.ts'
import { readRows } from '../../src/transfer/read-rows.ts'

/** Nothing is looked up for columns that refer to nothing. */
const nowhere = {} as TransferPlace

const labels = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(95)}`)
const choices = labels.map((label, at) => ({ value: `value ${at}`, label, color: 'gray', isClosed: false }))
const names = Array.from({ length: 64 }, (_, at) => `own_${at}`)
const resource: Resource = {
  ...bid,
  columns: new Map([
    ...bid.columns,
    ...names.map((name): [string, Column] => [
      name,
      { name, type: 'choice', nullable: true, description: '', choices },
    ]),
  ]),
}

/** Rows with the same in each cell of a choice. */
const partOf = (count: number, cell: string) => ({
  resource,
  columns: ['bid_name', ...names],
  rows: Array.from({ length: count }, (_, at) => ({ row: at + 2, cells: ['Bridge', ...names.map(() => cell)] })),
})

test('of a row with many problems, the first ones are told', async () => {
  const { good, bad } = await readRows(nowhere, partOf(1, 'nothing'))
  expect([good.length, bad[0]?.problems.length]).toEqual([0, 5])
})

test('of many bad rows, each is told, the last ones in short', async () => {
  const { bad } = await readRows(nowhere, partOf(500, 'nothing'))
  expect(bad).toHaveLength(500)
  expect(bad[0]?.problems[0]?.message).toEndWith('and 80 more')
  expect(bad.at(-1)?.problems).toEqual([
    { code: '23514', message: expect.stringMatching(/^Own 0: "nothing" is none of .*…$/), hint: null },
  ])
  expect(JSON.stringify(bad.map(({ problems }) => problems)).length).toBeLessThan(500_000)
})

test('a choice that cannot be told by its label has few values in its problem', async () => {
  const same = { ...partOf(1, 'same'), resource: withLabel('Same') }
  const [problem] = (await readRows(nowhere, same)).bad[0]?.problems ?? []
  expect(problem?.hint).toStartWith('Write the value: value 0 or value 1')
  expect(problem?.hint).toEndWith('and 80 more.')
})

function withLabel(label: string): Resource {
  const labelled = choices.map((one) => ({ ...one, label }))
  const columns = [...resource.columns].map(([name, column]): [string, Column] => [
    name,
    column.choices ? { ...column, choices: labelled } : column,
  ])
  return { ...resource, columns: new Map(columns) }
}

test('other work has turns while rows are read', async () => {
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { good } = await readRows(nowhere, partOf(500, 'value 99'))
  clearImmediate(next)
  expect(good).toHaveLength(500)
  expect(turns).toBeGreaterThan(40)
})
