import { Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { UsageOfDay } from '../api-types.ts'
import { BarsLegend, sumOf } from '../parts/bars.tsx'
import { Panel } from '../parts/panel.tsx'
import { UsageTable } from '../parts/usage-table.tsx'

const RequestsChart = lazy(() => import('./requests-chart.tsx'))

export function RequestsPanel({ days }: { readonly days: readonly UsageOfDay[] }) {
  const total = days.reduce((sum, day) => sum + sumOf(day), 0)
  const bars = days.map(({ day, ...counts }) => ({ label: day, ...counts })).reverse()
  if (total === 0) {
    return (
      <Panel title="Requests per day">
        <Text c="dimmed">No request has come in the last 30 days.</Text>
      </Panel>
    )
  }
  return (
    <Panel title="Requests per day" lead={`${total.toLocaleString('en')} in the last 30 days. Days are in UTC.`}>
      <Stack>
        <div aria-hidden="true">
          <Suspense fallback={<Skeleton height={220} />}>
            <RequestsChart days={days} />
          </Suspense>
        </div>
        <BarsLegend />
        <UsageTable summary="Show as a table" first="Day" bars={bars} />
      </Stack>
    </Panel>
  )
}
