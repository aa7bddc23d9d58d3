import { expect, test } from 'bun:test'
import { sentColumns } from '../../src/plan/sent-columns.ts'
import { bid, project } from '../../src/resources/index.ts'

const names = (columns: readonly { readonly name: string }[]): string[] => columns.map(({ name }) => name)

test('the columns of a body are found once for all that name the same', () => {
  const sent = ['bid_id', 'project_name']
  const found = sentColumns(project, sent, false)
  expect([names(found.sent), names(found.sentBack)]).toEqual([sent, []])
  expect(sentColumns(project, [...sent], false)).toBe(found)
  expect(names(sentColumns(project, sent.toReversed(), false).sent)).toEqual(sent.toReversed())
})

test('what is known of one resource, or of rows that may exist, holds for no other', () => {
  expect(names(sentColumns(project, ['created_at'], true).sentBack)).toEqual(['created_at'])
  expect(() => sentColumns(project, ['created_at'], false)).toThrow()
  sentColumns(project, ['project_name'], false)
  expect(() => sentColumns(bid, ['project_name'], false)).toThrow()
})

test('a name that reads like several is unknown', () => {
  sentColumns(project, ['id', 'bid_id', 'project_name'], false)
  for (const others of [['id bid_id project_name'], ['id bid_id', 'project_name'], ['id', 'bid_id project_name', '']])
    expect(() => sentColumns(project, others, false)).toThrow()
})
