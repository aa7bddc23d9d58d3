import { expect, test } from 'bun:test'
import { layOut } from '../../src/web/fields/graph-layout.ts'

test('states stand from left to right by their distance from the first one, and fit into the picture', () => {
  const keys = ['lead', 'won', 'lost', 'done', 'alone']
  const graph = layOut(keys, { lead: ['won', 'lost'], won: ['done'], done: ['lead', 'done'] }, 'lead')
  const xs = Object.fromEntries(graph.nodes.map(({ key, x }) => [key, x]))
  expect(xs.won).toBe(xs.lost ?? Number.NaN)
  expect(xs.lead).toBe(xs.alone ?? Number.NaN)
  expect([Number(xs.lead) < Number(xs.won), Number(xs.won) < Number(xs.done)]).toEqual([true, true])
  expect(graph.edges.map(({ from, to }) => `${from}>${to}`)).toEqual(['lead>won', 'lead>lost', 'won>done', 'done>lead'])
  expect(graph.nodes.every(({ x, y }) => x < graph.width && y < graph.height)).toBe(true)
})

test('no states are no picture', () => {
  expect(layOut([], {}, '')).toMatchObject({ nodes: [], edges: [] })
})
