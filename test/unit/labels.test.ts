import { expect, test } from 'bun:test'
import { resource } from '../../src/resources/define.ts'
import { labelOf, namingColumnOf, pagePathOf } from '../../src/resources/labels.ts'

const description = ''
const columns = {
  id: { type: 'uuid', primaryKey: true, generated: 'uuid', description },
  remark: { type: 'text', nullable: true, description },
  work_order_number: { type: 'text', description },
  parent_id: { type: 'uuid', references: 'work_order', description },
  valid_id: { type: 'text', description },
  due_on: { type: 'date', description },
  is_open: { type: 'text', description },
  started_at: { type: 'timestamp', description },
  kind: { type: 'text', label: 'Kind of work', description },
} as const
const order = resource('work_order', description, columns, { isReadOnly: true })

test('a column is called by its name without what the page shows anyway, or by its own label', () => {
  expect([...order.columns.values()].map((column) => labelOf(order, column))).toEqual([
    ...['Id', 'Remark', 'Number', 'Parent', 'Valid id', 'Due on', 'Open', 'Started', 'Kind of work'],
  ])
})

test('a row is known by the first text that every row has, or else by its key', () => {
  expect(namingColumnOf(order).name).toBe('work_order_number')
  const id = { type: 'uuid', primaryKey: true, description } as const
  expect(namingColumnOf(resource('pair', description, { id }, { isReadOnly: true })).name).toBe('id')
})

test('the name of a resource gives its labels and the path of its page, unless the definition does', () => {
  expect([order.labels, pagePathOf(order)]).toEqual([{ one: 'work order', many: 'work orders' }, '/work-orders'])
  const id = { type: 'uuid', primaryKey: true, description } as const
  const person = resource('human', description, { id }, { isReadOnly: true, labels: { one: 'person', many: 'people' } })
  expect([person.labels, pagePathOf(person)]).toEqual([{ one: 'person', many: 'people' }, '/people'])
})

test('a resource that clients write has an id and the times of its rows', () => {
  const id = { type: 'uuid', primaryKey: true, generated: 'uuid', description } as const
  const created_at = { type: 'timestamp', generated: 'now', description } as const
  const updated_at = { ...created_at, onUpdate: 'now' } as const
  expect(resource('pair', description, { id, created_at, updated_at }).methods).toContain('PATCH')
  for (const columns of [{ id }, { id, created_at }, { id, created_at, updated_at: created_at }])
    expect(() => resource('pair', description, columns)).toThrow('"updated_at"')
  const number = { type: 'integer', primaryKey: true, description } as const
  expect(() => resource('pair', description, { id: number, created_at, updated_at })).toThrow('"id" of type uuid')
})
