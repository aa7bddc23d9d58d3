import { useId } from 'react'
import type { Transitions } from '../api-types.ts'
import { colorStyle } from '../columns/choice.tsx'
import { anyOf } from '../rows/words.ts'
import type { Color } from './field-types.ts'
import { type GraphNode, layOut, nodeHeight, nodeWidth } from './graph-layout.ts'

/** A choice by a key that the transitions use. */
interface State {
  readonly key: string
  readonly label: string
  readonly color: Color
}

interface StateGraphProps {
  readonly states: readonly State[]
  readonly transitions: Transitions
  readonly initial: string
}

/** The states and their allowed changes as boxes and arrows. Those who hear the page are told the same in a sentence for each state. */
export function StateGraph({ states, transitions, initial }: StateGraphProps) {
  const id = useId()
  const keys = states.map(({ key }) => key)
  const { nodes, edges, width, height } = layOut(keys, transitions, initial)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="graph-scroll" tabIndex={0} aria-label="States">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-title`}>
        <title id={`${id}-title`}>{wordsOf(states, transitions, initial)}</title>
        <defs>
          <marker id={`${id}-arrow`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0L8 4L0 8z" className="graph-arrow" />
          </marker>
        </defs>
        {edges.map(({ from, to, path }) => (
          <path key={`${from} ${to}`} d={path} className="graph-edge" markerEnd={`url(#${id}-arrow)`} />
        ))}
        {nodes.map((node) => (
          <Node key={node.key} node={node} states={states} isInitial={node.key === initial} />
        ))}
      </svg>
    </section>
  )
}

interface NodeProps {
  readonly node: GraphNode
  readonly states: readonly State[]
  readonly isInitial: boolean
}

/** What fits into a box. */
const lettersMax = 15

function Node({ node: { key, x, y }, states, isInitial }: NodeProps) {
  const state = states.find((one) => one.key === key)
  if (!state) return null
  const { label, color } = state
  const letters = [...label]
  return (
    <g transform={`translate(${x} ${y})`} className="graph-node" style={colorStyle(color)}>
      <rect width={nodeWidth} height={nodeHeight} rx="8" data-initial={isInitial || undefined} />
      <text x={nodeWidth / 2} y={nodeHeight / 2}>
        {letters.length > lettersMax ? `${letters.slice(0, lettersMax - 1).join('')}…` : label}
      </text>
    </g>
  )
}

/** "New rows are Lead. Lead can become Won or Lost. Won stays." */
function wordsOf(states: readonly State[], transitions: Transitions, initial: string): string {
  const labelOf = (key: string) => states.find((one) => one.key === key)?.label ?? key
  const start = states.some(({ key }) => key === initial) ? [`New rows are ${labelOf(initial)}.`] : []
  const sentences = states.map(({ key, label }) => {
    const next = (transitions[key] ?? []).filter((to) => states.some((one) => one.key === to))
    return next.length === 0 ? `${label} stays.` : `${label} can become ${anyOf(next.map(labelOf))}.`
  })
  return [...start, ...sentences].join(' ')
}
