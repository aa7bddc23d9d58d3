import { List, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Credential, IssuedCredential } from '../api-types.ts'
import { DialogForm } from '../parts/dialog-form.tsx'
import type { WayOut } from '../parts/issued-dialog.tsx'
import { useNow, When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface RotateDialogProps {
  readonly credential: Credential
  readonly close: (rotated: IssuedCredential | null) => void
}

export function RotateDialog({ credential, close }: RotateDialogProps) {
  const send = useSend()
  const discard = async (secretId: string) => {
    await send('DELETE', `/credentials/${credential.id}/secrets/${secretId}`)
    await refresh('/credentials')
    return 'closed' as const
  }
  const wayOut = ({ secrets: [fresh, old] }: IssuedCredential): WayOut =>
    fresh && old
      ? {
          words: 'The old secret still works. Discard the new one, and the old one goes on as before the rotation.',
          action: { label: 'Discard the new secret', run: () => discard(fresh.id) },
        }
      : {
          words: 'The old secret has ended, so that only this one works. Rotate again to get another one.',
          action: { label: 'Rotate again', run: async () => 'asking again' },
        }
  return (
    <SecretDialog
      title={`Rotate the secret of ${credential.name}`}
      issuedTitle={`New secret of ${credential.name}`}
      doneLabel="Next: watch the traffic"
      wayOut={wayOut}
      close={close}
    >
      {(issue) => <RotateForm credential={credential} issue={issue} cancel={() => close(null)} />}
    </SecretDialog>
  )
}

const graces = [
  { value: '86400', label: '24 hours', description: 'Time for a deployment. Both secrets work meanwhile.' },
  { value: '3600', label: '1 hour', description: 'When you can put the new one in place right away.' },
  { value: '604800', label: '7 days', description: 'When others have to act, too.' },
  {
    value: '0',
    label: 'None: stop the old secret now',
    description: 'After a leak. Whatever still uses it fails at once.',
  },
]

interface RotateFormProps {
  readonly credential: Credential
  readonly issue: (issued: IssuedCredential) => void
  readonly cancel: () => void
}

function RotateForm({ credential: { id, expires_at }, issue, cancel }: RotateFormProps) {
  const [grace, setGrace] = useState('86400')
  const now = useNow()
  const send = useSend()
  const task = useTask(async () => {
    const body = { grace_seconds: Number(grace) }
    issue(await send<IssuedCredential>('POST', `/credentials/${id}/rotate`, body))
    void refresh('/credentials')
  })
  return (
    <DialogForm task={task} action="Create new secret" failed="Could not rotate the secret" cancel={cancel}>
      <List type="ordered" size="sm" spacing={2}>
        <List.Item>Choose how long the old secret still works.</List.Item>
        <List.Item>Copy the new secret to where your application keeps it.</List.Item>
        <List.Item>Watch the traffic move over, then finish.</List.Item>
      </List>
      <Radio.Group label="The old secret works for" value={grace} onChange={(value) => setGrace(String(value))}>
        <Stack gap="xs" mt={6}>
          {graces.map((one, at) => (
            <Radio key={one.value} {...one} {...(at === 0 ? { 'data-autofocus': true } : {})} />
          ))}
        </Stack>
      </Radio.Group>
      {expires_at !== null && Date.parse(expires_at) < now + Number(grace) * 1000 && (
        <Text size="sm" fw={600} role="status">
          The credential expires <When at={expires_at} as="planned" />, and both secrets with it. A rotation does not
          move the expiry.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        The key stays the same.
      </Text>
    </DialogForm>
  )
}
