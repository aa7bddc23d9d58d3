import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Webhook } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh } from '../queries.ts'
import { useNavigate, useSend } from '../session.tsx'

export function DeleteDialog({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const send = useSend()
  const navigate = useNavigate()
  const run = async () => {
    await send('DELETE', `/webhooks/${webhook.id}`)
    notifications.show({ message: 'The webhook is deleted.' })
    navigate('/webhooks')
    void refresh('/webhooks')
  }
  return (
    <ConfirmDialog title="Delete the webhook?" action="Delete" run={run} close={close}>
      <Text>
        Nothing more is sent to <bdi className="strong">{webhook.url}</bdi>, and its deliveries are no longer shown.
        This cannot be undone.
      </Text>
      {webhook.pending > 0 && (
        <Text size="sm" fw={600}>
          {webhook.pending} events have not been delivered. To go on later, disable it instead.
        </Text>
      )}
    </ConfirmDialog>
  )
}
