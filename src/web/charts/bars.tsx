/** What happened in one stretch of time. */
export interface Bar {
  readonly label: string
  readonly ok: number
  readonly refused: number
  readonly not_scoped: number
}

interface BarsProps {
  readonly bars: readonly Bar[]
  /** The same in words. */
  readonly label: string
  readonly width: number
  readonly height: number
  /** What the full height stands for, where several pictures share one scale. */
  readonly highest?: number
  /** As wide as there is room. */
  readonly isStretched?: boolean
}

/** From the bottom of a bar to its top. */
export const outcomes = ['ok', 'not_scoped', 'refused'] as const

export const wordsOf = { ok: 'Answered', not_scoped: 'Secret missing or wrong', refused: 'Refused' } as const

/** A row of small bars, stacked by outcome. */
export function Bars({ bars, label, width, height, highest = highestOf(bars), isStretched = false }: BarsProps) {
  const step = width / Math.max(1, bars.length)
  const thick = Math.max(1, step - (step > 4 ? 2 : 1))
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      {...(isStretched ? { preserveAspectRatio: 'none', 'data-stretched': true } : {})}
      aria-label={label}
    >
      {bars.map((bar, at) => {
        let top = height
        return outcomes.map((outcome) => {
          const tall = bar[outcome] === 0 ? 0 : Math.max(2, (bar[outcome] / highest) * (height - 1))
          top -= tall
          return tall === 0 ? null : (
            <rect
              key={`${bar.label} ${outcome}`}
              className={`bar-${outcome}`}
              x={at * step}
              y={top}
              width={thick}
              height={tall}
            />
          )
        })
      })}
      {bars.map((bar, at) =>
        sumOf(bar) > 0 ? null : (
          <rect key={bar.label} className="bar-none" x={at * step} y={height - 1} width={thick} height={1} />
        ),
      )}
    </svg>
  )
}

export const highestOf = (bars: readonly Bar[]): number => Math.max(1, ...bars.map(sumOf))

export const sumOf = ({ ok, refused, not_scoped }: Omit<Bar, 'label'>): number => ok + refused + not_scoped

/** The colours in words, where there is room for them. */
export function BarsLegend() {
  return (
    <ul className="legend">
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <span className={`swatch bar-${outcome}`} aria-hidden="true" /> {wordsOf[outcome]}
        </li>
      ))}
    </ul>
  )
}
