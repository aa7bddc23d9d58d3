import { Chart, type Plot } from './chart.tsx'
import type { TimeTexts } from './outcome-chart.tsx'

/** How long requests took, in milliseconds; null where there was none, or nothing was measured. */
export interface Times {
  readonly label: string
  readonly p50_ms: number | null
  readonly p95_ms: number | null
}

const lines = [
  { key: 'p95_ms', colour: 'line-p95', text: 'p95', meaning: '95 of 100 requests took at most this long' },
  { key: 'p50_ms', colour: 'line-p50', text: 'p50', meaning: 'Half of the requests took at most this long' },
] as const

type LineKey = (typeof lines)[number]['key']

/** How long requests took, as two lines. Where nothing was measured, they have a gap. */
export function LatencyChart({ times, ...texts }: TimeTexts & { readonly times: readonly Times[] }) {
  const tell = (at: number) =>
    lines.map(({ key, colour, text }) => ({ text, colour, value: msText(times[at]?.[key] ?? null) }))
  return (
    <>
      <Chart
        label="Time that requests took"
        steps={times.map(({ label }) => label)}
        highest={Math.max(1, ...times.map(({ p95_ms }) => p95_ms ?? 0))}
        tickText={(value) => (value >= 1000 ? `${value / 1000} s` : `${value} ms`)}
        draw={(plot) =>
          lines.map(({ key, colour }) => <Line key={key} times={times} of={key} colour={colour} plot={plot} />)
        }
        tell={tell}
        {...texts}
      />
      <LatencyLegend />
    </>
  )
}

export function LatencyLegend() {
  return (
    <ul className="legend">
      {lines.map(({ colour, text, meaning }) => (
        <li key={text}>
          <span className={`swatch ${colour}`} aria-hidden="true" /> {text}: {meaning.toLowerCase()}
        </li>
      ))}
    </ul>
  )
}

export const msText = (ms: number | null): string => (ms === null ? '–' : `${ms.toLocaleString('en')} ms`)

interface LineProps {
  readonly times: readonly Times[]
  readonly of: LineKey
  readonly colour: string
  readonly plot: Plot
}

/** A point for each value, and a line between neighbours. */
function Line({ times, of, colour, plot: { step, xOf, yOf } }: LineProps) {
  const points = times.flatMap(({ label, [of]: value }, at) => {
    if (value === null) return []
    const isFirst = (times[at - 1]?.[of] ?? null) === null
    return { label, x: xOf(at) + step / 2, y: yOf(value), command: isFirst ? 'M' : 'L' }
  })
  return (
    <g className={`chart-line ${colour}`}>
      <path d={points.map(({ command, x, y }) => `${command}${x} ${y}`).join('')} />
      {points.map(({ label, x, y }) => (
        <circle key={label} cx={x} cy={y} r={step > 10 ? 3 : 1.5} />
      ))}
    </g>
  )
}
