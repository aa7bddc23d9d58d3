import type { IssuedWebhook } from '../api-types.ts'
import { DialogForm } from '../parts/dialog-form.tsx'
import { IssuedDialog } from '../parts/issued-dialog.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { SecretStep } from './secret-step.tsx'
import { useSendDraft, useWebhookDraft, WebhookFields, webhookFields } from './webhook-fields.tsx'

interface CreateDialogProps {
  readonly types: readonly string[]
  readonly close: () => void
}

export function CreateDialog({ types, close }: CreateDialogProps) {
  return (
    <IssuedDialog<IssuedWebhook>
      title="New webhook"
      issuedTitle="Your new webhook"
      wayOut={() => ({ words: 'Messages are signed with a secret that nobody knows: rotate it for a new one.' })}
      close={close}
      show={({ secret }, handlers) => <SecretStep secret={secret} {...handlers} />}
    >
      {(issue) => <CreateForm types={types} issue={issue} cancel={close} />}
    </IssuedDialog>
  )
}

interface CreateFormProps {
  readonly types: readonly string[]
  readonly issue: (issued: IssuedWebhook) => void
  readonly cancel: () => void
}

function CreateForm({ types, issue, cancel }: CreateFormProps) {
  const fields = useWebhookDraft(null)
  const send = useSendDraft()
  const task = useTask(async () => {
    issue(await send<IssuedWebhook>('POST', '/webhooks', fields.draft))
    void refresh('/webhooks')
  })
  return (
    <DialogForm
      task={task}
      action="Create webhook"
      failed="Could not create the webhook"
      cancel={cancel}
      fields={webhookFields}
    >
      {(errorAt) => <WebhookFields {...fields} types={types} errorAt={errorAt} />}
    </DialogForm>
  )
}
