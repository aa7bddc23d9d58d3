import { Code, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { WebhookAttempt, WebhookDeliveryInDetail } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { msText } from '../parts/ms-text.ts'
import { When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useAnswer, useSend } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { useTask } from '../use-task.ts'
import { DeliveryBadge } from './marks.tsx'

interface DeliveryDialogProps {
  readonly webhookId: string
  readonly eventId: string
  readonly close: () => void
}

export function DeliveryDialog({ webhookId, eventId, close }: DeliveryDialogProps) {
  const path = `/webhooks/${webhookId}/deliveries/${eventId}`
  const delivery = useAnswer<WebhookDeliveryInDetail>(path, { refetchInterval: 4_000 })
  return (
    <Dialog title={delivery.data?.type ?? 'Delivery'} close={close} size="xl">
      <Loaded query={delivery} what="the delivery">
        {(one) => <Details delivery={one} path={path} />}
      </Loaded>
    </Dialog>
  )
}

const columns: readonly TableColumn<WebhookAttempt>[] = [
  { id: 'when', header: 'When', cell: ({ created_at }) => <When at={created_at} as="exact" /> },
  { id: 'answer', header: 'Answer', cell: (one) => <Answer attempt={one} /> },
  { id: 'took', header: 'Took', cell: ({ duration_ms }) => msText(duration_ms) },
]

function Details({ delivery, path }: { readonly delivery: WebhookDeliveryInDetail; readonly path: string }) {
  const { event_id, body, history } = delivery
  const send = useSend()
  const replay = useTask(async () => {
    await send('POST', `${path}/replay`)
    await refresh('/webhooks')
    notifications.show({ message: 'The event is being sent again.' })
  })
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="xs">
          <DeliveryBadge delivery={delivery} />
          <Code className="wrap">{event_id}</Code>
        </Group>
        <AllowedButton needs="owner" variant="default" loading={replay.isRunning} onClick={replay.start}>
          Send again
        </AllowedButton>
      </Group>
      {replay.error !== null && <FailureNotice error={replay.error} title="Could not send the event again" />}
      {history.length > 0 ? (
        <DataTable caption="Attempts, latest first" columns={columns} rows={history} rowKey={({ id }) => id} />
      ) : (
        <Text c="dimmed">It was not tried yet.</Text>
      )}
      {body === null ? (
        <Text c="dimmed">The event is no longer kept.</Text>
      ) : (
        <CodeBlock label="body" text={body} shown={indented(body)} />
      )}
    </Stack>
  )
}

function Answer({ attempt: { status, error, answer } }: { readonly attempt: WebhookAttempt }) {
  return (
    <>
      <Text size="sm" className="wrap">
        {status ?? error}
      </Text>
      {answer !== '' && (
        <Text size="xs" c="dimmed" className="wrap mono">
          {answer}
        </Text>
      )}
    </>
  )
}

/** For the eye. What is copied is what was sent. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
