import type { Transitions } from '../api-types.ts'

/** A state that is drawn. */
export interface GraphNode {
  readonly key: string
  readonly x: number
  readonly y: number
}

interface GraphEdge {
  readonly from: string
  readonly to: string
  /** The path of an SVG. */
  readonly path: string
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly width: number
  readonly height: number
}

export const nodeWidth = 124
export const nodeHeight = 32
const columnWidth = 188
const rowHeight = 56
const margin = 8
/** Room for the arrows that lead back. */
const below = 30

/** Places states from left to right by how many changes they are away from the first one. */
export function layOut(keys: readonly string[], transitions: Transitions, initial: string): Graph {
  const depths = depthsOf(keys, transitions, initial)
  const columns = Map.groupBy(keys, (key) => depths.get(key) ?? 0)
  const rowsMax = Math.max(1, ...[...columns.values()].map(({ length }) => length))
  const nodes = keys.map((key) => {
    const depth = depths.get(key) ?? 0
    const column = columns.get(depth) ?? []
    const offset = ((rowsMax - column.length) * rowHeight) / 2
    return { key, x: margin + depth * columnWidth, y: margin + offset + column.indexOf(key) * rowHeight }
  })
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const edges = Object.entries(transitions).flatMap(([from, next]) =>
    next.flatMap((to) => {
      const [start, end] = [byKey.get(from), byKey.get(to)]
      return start && end && start !== end ? [{ from, to, path: pathOf(start, end) }] : []
    }),
  )
  const width = 2 * margin + Math.max(0, ...depths.values()) * columnWidth + nodeWidth
  const leadsBack = edges.some(({ from, to }) => (depths.get(to) ?? 0) < (depths.get(from) ?? 0))
  const height = 2 * margin + (rowsMax - 1) * rowHeight + nodeHeight + (leadsBack ? below : 0)
  return { nodes, edges, width, height }
}

/** Breadth first. What cannot be reached stands below the first one. */
function depthsOf(keys: readonly string[], transitions: Transitions, initial: string): ReadonlyMap<string, number> {
  const [first = ''] = keys.includes(initial) ? [initial] : keys
  const depths = new Map<string, number>([[first, 0]])
  const queue = [first]
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
    for (const next of transitions[key] ?? []) {
      if (depths.has(next) || !keys.includes(next)) continue
      depths.set(next, (depths.get(key) ?? 0) + 1)
      queue.push(next)
    }
  }
  return depths
}

function pathOf(start: GraphNode, end: GraphNode): string {
  const half = nodeHeight / 2
  if (end.x > start.x) {
    const [x, y, toX, toY] = [start.x + nodeWidth, start.y + half, end.x - 2, end.y + half]
    const bend = (toX - x) / 2
    return `M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`
  }
  if (end.x === start.x) {
    const [down, x] = [end.y > start.y, start.x + nodeWidth / 2 + (end.y > start.y ? -10 : 10)]
    const [y, toY] = down ? [start.y + nodeHeight, end.y - 2] : [start.y, end.y + nodeHeight + 2]
    return `M${x} ${y}L${x} ${toY}`
  }
  const [x, toX] = [start.x + nodeWidth / 2 - 14, end.x + nodeWidth / 2 + 14]
  const [y, toY] = [start.y + nodeHeight, end.y + nodeHeight + 2]
  const low = Math.max(y, toY) + below
  return `M${x} ${y}C${x} ${low} ${toX} ${low} ${toX} ${toY}`
}
