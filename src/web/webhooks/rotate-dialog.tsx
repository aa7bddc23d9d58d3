import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { IssuedWebhook, Webhook } from '../api-types.ts'
import { DialogForm } from '../parts/dialog-form.tsx'
import { IssuedDialog } from '../parts/issued-dialog.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { SecretStep } from './secret-step.tsx'

export function RotateDialog({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  return (
    <IssuedDialog<IssuedWebhook>
      title="Rotate the secret"
      issuedTitle="New signing secret"
      wayOut={() => ({
        words: 'Receivers cannot verify what is signed with the new secret alone. Rotate again to get another one.',
        action: { label: 'Rotate again', run: async () => 'asking again' },
      })}
      close={close}
      show={({ secret }, handlers) => <SecretStep secret={secret} {...handlers} />}
    >
      {(issue) => <RotateForm webhook={webhook} issue={issue} cancel={close} />}
    </IssuedDialog>
  )
}

const graces = [
  {
    value: '86400',
    label: '24 hours',
    description: 'Time for a deployment. Messages carry both signatures meanwhile.',
  },
  { value: '3600', label: '1 hour', description: 'When you can put the new one in place right away.' },
  { value: '604800', label: '7 days', description: 'When others have to act, too.' },
  {
    value: '0',
    label: 'Not at all',
    description: 'After a leak. Receivers with the old secret refuse messages at once.',
  },
]

interface RotateFormProps {
  readonly webhook: Webhook
  readonly issue: (issued: IssuedWebhook) => void
  readonly cancel: () => void
}

function RotateForm({ webhook: { id }, issue, cancel }: RotateFormProps) {
  const [grace, setGrace] = useState('86400')
  const send = useSend()
  const task = useTask(async () => {
    issue(await send<IssuedWebhook>('POST', `/webhooks/${id}/rotate`, { grace_seconds: Number(grace) }))
    void refresh('/webhooks')
  })
  return (
    <DialogForm task={task} action="Create new secret" failed="Could not rotate the secret" cancel={cancel}>
      <Radio.Group label="The old secret signs, too, for" value={grace} onChange={(value) => setGrace(String(value))}>
        <Stack gap="xs" mt={6}>
          {graces.map((one, at) => (
            <Radio key={one.value} {...one} {...(at === 0 ? { 'data-autofocus': true } : {})} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        Verifying libraries accept a message if one of its signatures fits.
      </Text>
    </DialogForm>
  )
}
