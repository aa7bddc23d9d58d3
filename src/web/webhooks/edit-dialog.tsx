import type { Webhook, WebhookList } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useAnswer } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { useSendDraft, useWebhookDraft, WebhookFields, webhookFields } from './webhook-fields.tsx'

export function EditDialog({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const fields = useWebhookDraft(webhook)
  const { data } = useAnswer<WebhookList>('/webhooks')
  const send = useSendDraft()
  const task = useTask(async () => {
    await send('PATCH', `/webhooks/${webhook.id}`, fields.draft)
    await refresh('/webhooks')
    close()
  })
  return (
    <Dialog title="Edit webhook" close={close}>
      <DialogForm task={task} action="Save" failed="Could not save the webhook" cancel={close} fields={webhookFields}>
        {(errorAt) => <WebhookFields {...fields} types={data?.event_types ?? []} errorAt={errorAt} />}
      </DialogForm>
    </Dialog>
  )
}
