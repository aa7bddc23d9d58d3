import { BarChart } from '@mantine/charts'
import type { UsageOfDay } from '../api-types.ts'

const dayText = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Loaded when it is needed: the chart is bigger than the rest of the app. */
export default function RequestsChart({ days }: { readonly days: readonly UsageOfDay[] }) {
  const data = days.map(({ day, ok, refused, not_scoped }) => ({
    day: dayText.format(new Date(day)),
    Answered: ok,
    'Secret missing or wrong': not_scoped,
    Refused: refused,
  }))
  return (
    <BarChart
      h={220}
      data={data}
      dataKey="day"
      type="stacked"
      series={[
        { name: 'Answered', color: 'var(--ok)' },
        { name: 'Secret missing or wrong', color: 'var(--not-scoped)' },
        { name: 'Refused', color: 'var(--refused)' },
      ]}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ allowDecimals: false, width: 48 }}
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false }}
    />
  )
}
