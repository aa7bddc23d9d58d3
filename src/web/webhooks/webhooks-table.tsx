import { Anchor, Text } from '@mantine/core'
import type { Webhook } from '../api-types.ts'
import { msText } from '../parts/ms-text.ts'
import { When } from '../parts/when.tsx'
import { useLink } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { pendingText, successText } from './figures.ts'
import { Chosen, disabledText, StateBadge } from './marks.tsx'

const columns: readonly TableColumn<Webhook>[] = [
  { id: 'url', header: 'URL', cell: (one) => <Url webhook={one} />, isLink: true },
  { id: 'events', header: 'Events', cell: (one) => <Chosen webhook={one} /> },
  { id: 'received', header: 'Received', cell: (one) => <Received webhook={one} /> },
  { id: 'next', header: 'Next attempt', cell: (one) => <Next webhook={one} />, isSpare: true },
  { id: 'state', header: 'State', cell: (one) => <State webhook={one} /> },
]

export function WebhooksTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return <DataTable caption="Webhooks, oldest first" columns={columns} rows={webhooks} rowKey={({ id }) => id} />
}

function Url({ webhook: { id, url } }: { readonly webhook: Webhook }) {
  const link = useLink()
  return (
    <div className="named-cell">
      <Anchor fw={600} underline="hover" className="wrap" {...link(`/webhooks/${id}`)}>
        {url}
      </Anchor>
    </div>
  )
}

function Received({ webhook }: { readonly webhook: Webhook }) {
  const { average_ms } = webhook
  return (
    <>
      <Text size="sm">{successText(webhook)}</Text>
      {average_ms !== null && (
        <Text size="xs" c="dimmed" className="no-wrap">
          in {msText(average_ms)}
        </Text>
      )}
    </>
  )
}

function Next({ webhook }: { readonly webhook: Webhook }) {
  const { next_attempt_at } = webhook
  if (next_attempt_at === null) return <Text size="sm">–</Text>
  return (
    <>
      <When at={next_attempt_at} as="planned" />
      <Text size="xs" c="dimmed">
        {pendingText(webhook)} pending
      </Text>
    </>
  )
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const { failing_since, state } = webhook
  return (
    <>
      <StateBadge webhook={webhook} />
      {state !== 'active' && (
        <Text size="xs" c="dimmed" mt={4}>
          {state === 'disabled' ? disabledText(webhook) : failing_since && <Since at={failing_since} />}
        </Text>
      )}
    </>
  )
}

const Since = ({ at }: { readonly at: string }) => (
  <>
    since <When at={at} as="minute" />
  </>
)
