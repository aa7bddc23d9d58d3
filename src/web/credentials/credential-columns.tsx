import { Anchor, Badge, Code, Group, Text } from '@mantine/core'
import type { Credential } from '../api-types.ts'
import { Bars, sumOf } from '../charts/bars.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { useNow, When } from '../parts/when.tsx'
import { useLink } from '../session.tsx'
import { choiceKind, dayKind, orEmpty, textKind } from '../table/filter.ts'
import type { TableColumn } from '../table/table-column.ts'
import { AccessBadge, Expiry, LastUsed, StateBadge } from './marks.tsx'
import { rateText } from './rate-field.tsx'
import { expiresSoon, warningsOf } from './warnings.ts'

/** Short words are in random keys by chance. */
const partOfKey = /^pak_|.{6}/

export const credentialColumns: readonly TableColumn<Credential>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (one) => <Name credential={one} />,
    value: ({ name }) => name,
    firstOrder: 'asc',
    filter: textKind,
    isSearched: true,
    isWide: true,
    isLink: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: (one) => <State credential={one} />,
    value: ({ state }) => state,
    fits: (one, wanted) => (wanted === 'soon' ? expiresSoon(one, Date.now()) : one.state === wanted),
    filter: choiceKind([
      { value: 'active', label: 'Active' },
      { value: 'soon', label: 'Expires soon' },
      { value: 'expired', label: 'Expired' },
    ]),
  },
  {
    id: 'access',
    header: 'Access',
    cell: (one) => <AccessBadge credential={one} />,
    value: ({ access }) => access,
    firstOrder: 'asc',
    filter: choiceKind([
      { value: 'read', label: 'Read-only' },
      { value: 'read-write', label: 'Read-write' },
    ]),
  },
  {
    id: 'api_key',
    header: 'Key',
    cell: ({ api_key, name }) => <Key apiKey={api_key} name={name} />,
    value: ({ api_key }) => api_key,
    filter: textKind,
    isSearched: true,
    searchedFor: partOfKey,
    isSpare: true,
  },
  {
    id: 'last_used',
    header: 'Last used',
    cell: ({ last_used }) => <LastUsed at={last_used?.at ?? null} />,
    value: ({ last_used }) => last_used?.at ?? null,
    firstOrder: 'desc',
    filter: orEmpty(dayKind),
  },
  {
    id: 'requests',
    header: '14 days',
    cell: (one) => <Sparkline credential={one} />,
    value: ({ usage }) => usage.reduce((sum, day) => sum + sumOf(day), 0),
    firstOrder: 'desc',
    isSpare: true,
  },
  {
    id: 'expires_at',
    header: 'Expires',
    cell: (one) => <Expiry credential={one} />,
    value: ({ expires_at }) => expires_at,
    firstOrder: 'asc',
    filter: orEmpty(dayKind),
  },
  {
    id: 'rate_limit',
    header: 'Rate limit',
    cell: ({ rate_limit }) => (rate_limit === null ? '–' : rateText(rate_limit)),
    value: ({ rate_limit }) => rate_limit,
    isExtra: true,
  },
  {
    id: 'created_at',
    header: 'Created',
    cell: ({ created_at }) => <When at={created_at} as="day" />,
    value: ({ created_at }) => created_at,
    firstOrder: 'desc',
    filter: dayKind,
    isExtra: true,
  },
  {
    id: 'created_by',
    header: 'Created by',
    cell: ({ created_by }) => (
      <span className="clamp" title={created_by ?? ''}>
        {created_by ?? '–'}
      </span>
    ),
    value: ({ created_by }) => created_by,
    firstOrder: 'asc',
    filter: textKind,
    isSearched: true,
    isExtra: true,
    isWide: true,
  },
]

function Name({ credential: { id, name } }: { readonly credential: Credential }) {
  const link = useLink()
  return (
    <Anchor
      size="sm"
      fw={600}
      underline="hover"
      className="clamp"
      title={name}
      dir="auto"
      {...link(`/credentials/${id}`)}
    >
      {name}
    </Anchor>
  )
}

/** What needs attention says more than that it is active. */
function State({ credential }: { readonly credential: Credential }) {
  const [warning, ...more] = warningsOf(credential, useNow())
  if (!warning) return <StateBadge credential={credential} />
  return (
    <Badge color="orange" title={[warning, ...more].map(({ text }) => text).join(' ')}>
      {warning.short}
    </Badge>
  )
}

function Key({ apiKey, name }: { readonly apiKey: string; readonly name: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code title={apiKey} className="no-wrap">
        {shortKey(apiKey)}
      </Code>
      <CopyButton label={`Copy the key of ${name}`} text={apiKey} iconOnly variant="subtle" />
    </Group>
  )
}

/** `pak_abcd…wxyz` */
const shortKey = (key: string): string => `${key.slice(0, 8)}…${key.slice(-4)}`

function Sparkline({ credential: { usage } }: { readonly credential: Credential }) {
  const bars = usage.map(({ day, ...counts }) => ({ label: day, ...counts }))
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0)
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    )
  return <Bars bars={bars} width={84} height={24} label={`${total.toLocaleString('en')} requests in 14 days`} />
}
