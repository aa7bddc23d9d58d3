import { type Bar, highestOf, outcomes, sumOf, wordsOf } from './bars.tsx'
import { Chart, type Plot } from './chart.tsx'

export interface TimeTexts {
  readonly axisText: (label: string) => string
  readonly fullText: (label: string) => string
}

/** How many requests there were, as bars that are stacked by outcome. */
export function OutcomeChart({ bars, ...texts }: TimeTexts & { readonly bars: readonly Bar[] }) {
  const tell = (at: number) => {
    const bar = bars[at]
    if (!bar) return []
    return [
      ...outcomes.map((outcome) => ({
        text: wordsOf[outcome],
        value: bar[outcome].toLocaleString('en'),
        colour: `bar-${outcome}`,
      })),
      { text: 'All', value: sumOf(bar).toLocaleString('en') },
    ]
  }
  return (
    <Chart
      label="Requests by outcome"
      steps={bars.map(({ label }) => label)}
      highest={highestOf(bars)}
      tickText={(value) => shortNumber.format(value)}
      draw={(plot) => bars.map((bar, at) => <Stack key={bar.label} bar={bar} at={at} plot={plot} />)}
      tell={tell}
      {...texts}
    />
  )
}

const shortNumber = new Intl.NumberFormat('en', { notation: 'compact' })

interface StackProps {
  readonly bar: Bar
  readonly at: number
  readonly plot: Plot
}

function Stack({ bar, at, plot: { step, xOf, yOf } }: StackProps) {
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
        x={xOf(at)}
        y={bottom - tall}
        width={Math.max(1, step - gap)}
        height={tall}
        rx={step > 10 ? 2 : 0}
      />
    )
  })
}
