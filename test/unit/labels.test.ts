import { expect, test } from 'bun:test'
import { resource } from '../../src/resources/define.ts'
import { labelOf, namingColumnOf, pagePathOf } from '../../src/resources/labels.ts'

const description = ''
const order = resource('work_order', description, {
  id: { type: 'uuid', primaryKey: true, generated: 'uuid', description },
  remark: { type: 'text', nullable: true, description },
  work_order_number: { type: 'text', description },
  parent_id: { type: 'uuid', references: 'work_order', description },
  valid_id: { type: 'text', description },
  due_on: { type: 'date', description },
  is_open: { type: 'text', description },
  started_at: { type: 'timestamp', description },
  kind: { type: 'text', label: 'Kind of work', description },
})

test('a column is called by its name without what the page shows anyway, or by its own label', () => {
  expect([...order.columns.values()].map((column) => labelOf(order, column))).toEqual([
    ...['Id', 'Remark', 'Number', 'Parent', 'Valid id', 'Due on', 'Open', 'Started', 'Kind of work'],
  ])
})

test('a row is known by the first text that every row has, or else by its key', () => {
  expect(namingColumnOf(order).name).toBe('work_order_number')
  const id = { type: 'uuid', primaryKey: true, description } as const
  expect(namingColumnOf(resource('pair', description, { id })).name).toBe('id')
})

test('the name of a resource gives its labels and the path of its page, unless the definition does', () => {
  expect([order.labels, pagePathOf(order)]).toEqual([{ one: 'work order', many: 'work orders' }, '/work-orders'])
  const id = { type: 'uuid', primaryKey: true, description } as const
  const person = resource('human', description, { id }, { labels: { one: 'person', many: 'people' } })
  expect([person.labels, pagePathOf(person)]).toEqual([{ one: 'person', many: 'people' }, '/people'])
})
