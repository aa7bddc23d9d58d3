import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useState } from 'react'

/** One line of the box that tells of a step: `Answered 120` */
interface ToldLine {
  readonly text: string
  readonly value: string
  /** The class of its colour. */
  readonly colour?: string
}

/** Where things are drawn. */
export interface Plot {
  /** The width of a step. */
  readonly step: number
  readonly xOf: (at: number) => number
  readonly yOf: (value: number) => number
}

interface ChartProps {
  /** What it shows, in words. */
  readonly label: string
  /** Stretches of time, oldest first. */
  readonly steps: readonly string[]
  readonly highest: number
  readonly tickText: (value: number) => string
  /** A step's label, short for the axis and whole for the box beside the pointer. */
  readonly axisText: (label: string) => string
  readonly fullText: (label: string) => string
  readonly draw: (plot: Plot) => ReactNode
  readonly tell: (at: number) => readonly ToldLine[]
}

export const chartHeight = 220
const room = { top: 8, right: 4, bottom: 24, left: 52 }
const plotHeight = chartHeight - room.top - room.bottom
/** As much as the text of a label needs. */
const labelWidth = 64

/** Axes, and a box that tells of the step under the pointer or of the one that the arrow keys have chosen. */
export function Chart({ label, steps, highest, tickText, axisText, fullText, draw, tell }: ChartProps) {
  const { ref, width } = useElementSize()
  const [chosen, setChosen] = useState<number | null>(null)
  const ticks = ticksTo(highest)
  const top = ticks.at(-1) ?? 1
  const step = Math.max(0, width - room.left - room.right) / Math.max(1, steps.length)
  const xOf = (at: number) => room.left + at * step
  const yOf = (value: number) => room.top + plotHeight * (1 - value / top)
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, step)))
  const told = chosen === null ? undefined : steps[chosen]

  const move = (event: KeyboardEvent) => {
    const to = targets[event.key]?.(chosen ?? steps.length, steps.length - 1)
    if (to === undefined) return
    event.preventDefault()
    setChosen(Math.min(Math.max(0, to), steps.length - 1))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form.
    <div
      ref={ref}
      className="chart"
      role="group"
      aria-label={`${label}. The arrow keys go from one to the next.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked by the arrow keys.
      tabIndex={0}
      onKeyDown={move}
      onBlur={() => setChosen(null)}
      onPointerLeave={() => setChosen(null)}
    >
      <svg width={width} height={chartHeight} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line className="chart-grid" x1={room.left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className="chart-text" x={room.left - 8} y={yOf(tick) + 4} textAnchor="end">
              {tickText(tick)}
            </text>
          </g>
        ))}
        {draw({ step, xOf, yOf })}
        {steps.map((one, at) => (
          <g key={one} data-chosen={at === chosen || undefined}>
            {at % every === 0 && (
              <text className="chart-text" x={xOf(at)} y={chartHeight - 6}>
                {axisText(one)}
              </text>
            )}
            <rect
              className="chart-target"
              x={xOf(at)}
              y={0}
              width={step}
              height={chartHeight}
              onPointerEnter={() => setChosen(at)}
            />
          </g>
        ))}
      </svg>
      <div role="status">
        {told !== undefined && chosen !== null && (
          <Tip title={fullText(told)} lines={tell(chosen)} from={xOf(chosen)} to={xOf(chosen) + step} width={width} />
        )}
      </div>
    </div>
  )
}

/** Where a key leads from a step. */
const targets: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowLeft: (from) => from - 1,
  ArrowRight: (from) => from + 1,
  Home: () => 0,
  End: (_, last) => last,
}

interface TipProps {
  readonly title: string
  readonly lines: readonly ToldLine[]
  /** The sides of the step. */
  readonly from: number
  readonly to: number
  readonly width: number
}

const tipWidth = 240
const tipGap = 8
/** Where the box beside a step would leave too little of the chart to be seen. */
const narrowWidth = 560

/** Beside the step, on the side that has room; below the chart where that is narrow. */
function Tip({ title, lines, from, to, width }: TipProps) {
  const isBelow = width < narrowWidth
  const centred = Math.min(Math.max(0, (from + to - tipWidth) / 2), Math.max(0, width - tipWidth))
  const beside = to + tipGap + tipWidth <= width ? to + tipGap : from - tipGap - tipWidth
  const place = isBelow ? { left: centred, top: chartHeight + tipGap } : { left: beside }
  return (
    <div className="chart-tip" style={{ ...place, width: tipWidth }}>
      <strong>{title}</strong>
      {lines.map(({ text, value, colour }) => (
        <div key={text} className="chart-tip-line">
          <span className="no-wrap">
            {colour && <span className={`swatch ${colour}`} />} {text}
          </span>
          <span className="number">{value}</span>
        </div>
      ))}
    </div>
  )
}

/** 37 → 0, 10, 20, 30, 40: at most five round numbers, the last not below the highest value. */
function ticksTo(highest: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = Math.max(1, [1, 2, 5, 10].map((one) => one * power).find((one) => one * 4 >= highest) ?? highest)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step)
}
