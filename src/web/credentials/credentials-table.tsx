import { Anchor, Code, Group, Text } from '@mantine/core'
import type { Credential } from '../api-types.ts'
import { Bars, sumOf } from '../parts/bars.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { Icon } from '../parts/icons.tsx'
import { useNow, When } from '../parts/when.tsx'
import { useLink } from '../session.tsx'
import { AccessBadge, LastUsed, StateBadge } from './marks.tsx'
import { rateText } from './rate-field.tsx'
import { warningsOf } from './warnings.ts'

interface CredentialsTableProps {
  readonly credentials: readonly Credential[]
}

export function CredentialsTable({ credentials }: CredentialsTableProps) {
  const columns: readonly DataColumn<Credential>[] = [
    { header: 'Name', cell: (one) => <Name credential={one} /> },
    { header: 'Key', cell: ({ api_key, name }) => <Key apiKey={api_key} name={name} /> },
    { header: 'Access', cell: (one) => <Access credential={one} /> },
    { header: 'Last used', cell: ({ last_used }) => <LastUsed at={last_used?.at ?? null} /> },
    { header: '14 days', cell: (one) => <Sparkline credential={one} />, isSpare: true },
    { header: 'State', cell: (one) => <State credential={one} /> },
  ]
  return <DataTable caption="Credentials, newest first" columns={columns} rows={credentials} rowKey={({ id }) => id} />
}

function Name({ credential }: { readonly credential: Credential }) {
  const link = useLink()
  const warnings = warningsOf(credential, useNow())
  return (
    <div className="named-cell">
      <Anchor fw={600} underline="hover" dir="auto" {...link(`/credentials/${credential.id}`)}>
        {credential.name}
      </Anchor>
      <Created credential={credential} />
      {warnings.map((warning) => (
        <Text key={warning} size="xs" className="warning-line">
          <Icon name="warning" size={14} /> {warning}
        </Text>
      ))}
    </div>
  )
}

function Access({ credential }: { readonly credential: Credential }) {
  const { rate_limit } = credential
  return (
    <>
      <AccessBadge credential={credential} />
      {rate_limit !== null && (
        <Text size="xs" c="dimmed" mt={4} className="no-wrap">
          {rateText(rate_limit)}
        </Text>
      )}
    </>
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

function Created({ credential: { created_at, created_by } }: { readonly credential: Credential }) {
  return (
    <Text size="xs" c="dimmed" className="wrap">
      Created <When at={created_at} as="day" />
      {created_by && ` by ${created_by}`}
    </Text>
  )
}

function State({ credential }: { readonly credential: Credential }) {
  const { state, expires_at } = credential
  return (
    <>
      <StateBadge credential={credential} />
      {state !== 'revoked' && (
        <Text size="xs" c="dimmed" mt={4} className="no-wrap">
          {expires_at === null ? (
            'Never expires'
          ) : (
            <>
              {state === 'active' ? 'until' : 'on'} <When at={expires_at} as="day" />
            </>
          )}
        </Text>
      )}
    </>
  )
}

function Sparkline({ credential: { usage } }: { readonly credential: Credential }) {
  const bars = usage.map(({ day, ...counts }) => ({ label: day, ...counts }))
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0)
  return <Bars bars={bars} width={84} height={24} label={`${total.toLocaleString('en')} requests in 14 days`} />
}
