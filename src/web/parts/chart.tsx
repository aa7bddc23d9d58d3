import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { type Bar, highestOf, outcomes, sumOf, wordsOf } from './bars.tsx'

interface ChartProps {
  readonly bars: readonly Bar[]
  /** A bar's label, short for the axis and whole for the box beside the pointer. */
  readonly axisText: (label: string) => string
  readonly fullText: (label: string) => string
}

const height = 220
const room = { top: 8, right: 4, bottom: 24, left: 44 }
const plotHeight = height - room.top - room.bottom
/** As much as the text of a label needs. */
const labelWidth = 64

/** Stacked bars with axes. The same is to be read in the table below it, so that those who cannot see it skip it. */
export function Chart({ bars, axisText, fullText }: ChartProps) {
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<number | null>(null)
  const ticks = ticksTo(highestOf(bars))
  const top = ticks.at(-1) ?? 1
  const step = Math.max(0, width - room.left - room.right) / Math.max(1, bars.length)
  const yOf = (value: number) => room.top + plotHeight * (1 - value / top)
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)))
  const bar = chosen === null ? undefined : bars[chosen]
  return (
    <div ref={ref} className="chart" aria-hidden="true" onPointerLeave={() => setChosen(null)}>
      <svg width={width} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="chart-grid" x1={room.left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className="chart-text" x={room.left - 8} y={yOf(tick) + 4} textAnchor="end">
              {shortNumber.format(tick)}
            </text>
          </g>
        ))}
        {bars.map((one, at) => (
          <g key={one.label} data-chosen={at === chosen || undefined}>
            <Stack bar={one} x={room.left + at * step} step={step} yOf={yOf} />
            {at % every === 0 && (
              <text className="chart-text" x={room.left + at * step} y={height - 6}>
                {axisText(one.label)}
              </text>
            )}
            <rect
              className="chart-target"
              x={room.left + at * step}
              y={0}
              width={step}
              height={height}
              onPointerEnter={() => setChosen(at)}
            />
          </g>
        ))}
      </svg>
      {bar && chosen !== null && (
        <Tip bar={bar} title={fullText(bar.label)} x={room.left + (chosen + 0.5) * step} width={width} />
      )}
    </div>
  )
}

interface StackProps {
  readonly bar: Bar
  readonly x: number
  readonly step: number
  readonly yOf: (value: number) => number
}

function Stack({ bar, x, step, yOf }: StackProps) {
  const gap = step > 6 ? 2 : 1
  let sum = 0
  return outcomes.map((outcome) => {
    if (bar[outcome] === 0) return null
    const bottom = yOf(sum)
    sum += bar[outcome]
    // What happened at all is to be seen.
    const tall = Math.max(1.5, bottom - yOf(sum))
    return (
      <rect
        key={outcome}
        className={`bar-${outcome}`}
        x={x}
        y={bottom - tall}
        width={Math.max(1, step - gap)}
        height={tall}
        rx={step > 10 ? 2 : 0}
      />
    )
  })
}

interface TipProps {
  readonly bar: Bar
  readonly title: string
  readonly x: number
  readonly width: number
}

const tipWidth = 200

function Tip({ bar, title, x, width }: TipProps) {
  const left = Math.min(Math.max(0, x - tipWidth / 2), Math.max(0, width - tipWidth))
  return (
    <div className="chart-tip" style={{ left, width: tipWidth }}>
      <strong>{title}</strong>
      {outcomes.map((outcome) => (
        <div key={outcome} className="chart-tip-line">
          <span>
            <span className={`swatch bar-${outcome}`} /> {wordsOf[outcome]}
          </span>
          <span className="number">{bar[outcome].toLocaleString('en')}</span>
        </div>
      ))}
      <div className="chart-tip-line">
        <span>All</span>
        <span className="number">{sumOf(bar).toLocaleString('en')}</span>
      </div>
    </div>
  )
}

const shortNumber = new Intl.NumberFormat('en', { notation: 'compact' })

/** 37 → 0, 10, 20, 30, 40: at most five round numbers, the last not below the highest bar. */
function ticksTo(highest: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one * 4 >= highest) ?? highest)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step)
}
