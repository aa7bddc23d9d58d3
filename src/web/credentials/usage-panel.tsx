import { Stack, Text } from '@mantine/core'
import type { CredentialInDetail } from '../api-types.ts'
import { Bars, BarsLegend, sumOf } from '../parts/bars.tsx'
import { Panel } from '../parts/panel.tsx'
import { UsageTable } from '../parts/usage-table.tsx'
import { useNow } from '../parts/when.tsx'
import { barsByHour } from './hours.ts'

const hourText = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })

export function UsagePanel({ credential }: { readonly credential: CredentialInDetail }) {
  const bars = barsByHour(credential.usage_by_hour, useNow(), 48)
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0)
  const used = bars
    .filter((bar) => sumOf(bar) > 0)
    .map((bar) => ({ ...bar, label: hourText.format(new Date(bar.label)) }))
  return (
    <Panel title="Requests in the last 48 hours">
      {total === 0 ? (
        <Text c="dimmed">No request came with this key.</Text>
      ) : (
        <Stack>
          <Bars
            bars={bars}
            width={720}
            height={96}
            label={`${total.toLocaleString('en')} requests in 48 hours, by hour`}
            isStretched
          />
          <BarsLegend />
          <UsageTable summary="Show as a table" first="Hour" bars={used.reverse()} />
        </Stack>
      )}
    </Panel>
  )
}
