import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import type { Usage, UsageSpan } from '../api-types.ts'
import { Loaded, Outline } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { useAnswer } from '../session.tsx'
import { BarsLegend, sumOf } from './bars.tsx'
import { ChartOutline } from './chart-outline.tsx'
import { LatencyChart, LatencyLegend, type Times } from './latency-chart.tsx'
import { OutcomeChart, type TimeTexts } from './outcome-chart.tsx'
import { UsageTable } from './usage-table.tsx'

const spans: readonly { readonly value: UsageSpan; readonly label: string; readonly words: string }[] = [
  { value: '24h', label: '24 h', words: '24 hours' },
  { value: '7d', label: '7 d', words: '7 days' },
  { value: '30d', label: '30 d', words: '30 days' },
  { value: '90d', label: '90 d', words: '90 days' },
]

const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const hourOfDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const dayOfYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** Days are in UTC, hours where the reader is. */
const texts = {
  hour: { axis: hour, full: hourOfDay, first: 'Hour', note: '' },
  day: { axis: day, full: dayOfYear, first: 'Day', note: ' Days are in UTC.' },
} as const

interface RequestsPanelProps {
  /** Of all credentials without it. */
  readonly credentialId?: string
  /** What is said where there was none. */
  readonly none: string
  /** Whether there is a chart to come, as far as is known. */
  readonly isUsed: boolean
  readonly refetchInterval?: number
}

/** Requests by outcome, or how long they took, over a time that can be chosen. */
export function RequestsPanel({ credentialId, none, isUsed, refetchInterval = 15_000 }: RequestsPanelProps) {
  const { search } = usePlace()
  const { value: span, words } = spans.find(({ value }) => value === search.get('span')) ?? usual
  const of = credentialId === undefined ? '' : `&credential=${encodeURIComponent(credentialId)}`
  const usage = useAnswer<Usage>(`/usage?span=${span}${of}`, { refetchInterval, placeholderData: keepPreviousData })
  const { value: chart, Legend } = charts.find(({ value }) => value === search.get('chart')) ?? charts[0]
  return (
    <Panel
      title="Requests"
      aside={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Chart"
            data={charts.map(({ value, label }) => ({ value, label }))}
            value={chart}
            onChange={(value) => changeSearch({ chart: value === charts[0].value ? null : value }, 'replace')}
          />
          <SegmentedControl
            size="xs"
            aria-label="Time"
            data={spans.map(({ value, label }) => ({ value, label }))}
            value={span}
            onChange={(value) => changeSearch({ span: value === usual.value ? null : value }, 'replace')}
          />
        </Group>
      }
    >
      <Loaded
        query={usage}
        what="the requests"
        outline={isUsed ? <ChartOutline legend={<Legend />} /> : <Outline lines={1} />}
      >
        {(found) => <Shown usage={found} chart={chart} words={words} none={none} />}
      </Loaded>
    </Panel>
  )
}

const charts = [
  { value: 'requests', label: 'Requests', Legend: BarsLegend },
  { value: 'latency', label: 'Latency', Legend: LatencyLegend },
] as const

const usual = { value: '30d', words: '30 days' } as const

interface ShownProps {
  readonly usage: Usage
  readonly chart: (typeof charts)[number]['value']
  readonly words: string
  readonly none: string
}

function Shown({ usage, chart, words, none }: ShownProps) {
  const { axis, full, first, note } = texts[usage.step]
  const bars = usage.bars.map(({ at, ...counts }) => ({ label: at, ...counts }))
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0)
  if (total === 0) return <Text c="dimmed">{`${none} in the last ${words}.`}</Text>
  const fullText = (label: string) => full.format(new Date(label))
  const timeTexts = { axisText: (label: string) => axis.format(new Date(label)), fullText }
  const used = bars.filter((bar) => sumOf(bar) > 0).map((bar) => ({ ...bar, label: fullText(bar.label) }))
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {total.toLocaleString('en')} in the last {words}.{note}
      </Text>
      {chart === 'latency' && <Latency bars={bars} words={words} {...timeTexts} />}
      {chart === 'requests' && (
        <>
          <OutcomeChart bars={bars} {...timeTexts} />
          <BarsLegend />
        </>
      )}
      <UsageTable summary="Show as a table" first={first} bars={used.reverse()} />
    </Stack>
  )
}

interface LatencyProps extends TimeTexts {
  readonly bars: readonly Times[]
  readonly words: string
}

function Latency({ bars, words, ...texts }: LatencyProps) {
  if (bars.every(({ p95_ms }) => p95_ms === null))
    return <Text c="dimmed">{`How long they took was not measured in the last ${words}.`}</Text>
  return <LatencyChart times={bars} {...texts} />
}
