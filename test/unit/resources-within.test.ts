import { expect, test } from 'bun:test'
import { resources } from '../../src/resources/index.ts'
import { resourcesWithin } from '../../src/rest/resources-within.ts'

const namesWithin = (rights: Parameters<typeof resourcesWithin>[1]['rights']) =>
  resourcesWithin(resources, { access: 'read', rights }).map(({ name }): string => name)

test('who may use nothing is shown nothing, also after one who may use everything', () => {
  const everything: string[] = resources.map(({ name }) => name)
  expect(namesWithin(null)).toEqual(everything)
  expect(namesWithin({ resources: [], may: null, networks: null })).toEqual([])
  expect(namesWithin({ resources: null, may: [], networks: null })).toEqual([])
  expect(namesWithin({ resources: null, may: ['read'], networks: null })).toEqual(everything)
  expect(namesWithin({ resources: ['project'], may: null, networks: null })).toEqual(['project'])
})

test('the same access gets the same list, and few lists are kept', () => {
  const listOf = (at: number) =>
    resourcesWithin(resources, { access: 'read', rights: { resources: [`r${at}`], may: null, networks: null } })
  const first = listOf(0)
  expect(listOf(0)).toBe(first)
  for (let at = 1; at <= 16; at += 1) listOf(at)
  expect(listOf(0)).not.toBe(first)
})
