import { Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Credential, IssuedCredential } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { SecretDialog } from './secret-dialog.tsx'

interface RotateDialogProps {
  readonly credential: Credential
  readonly close: (rotated: IssuedCredential | null) => void
}

export function RotateDialog({ credential, close }: RotateDialogProps) {
  return (
    <SecretDialog
      title={`Rotate the secret of ${credential.name}`}
      issuedTitle={`New secret of ${credential.name}`}
      doneLabel="Next: watch the traffic"
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

function RotateForm({ credential: { id }, issue, cancel }: RotateFormProps) {
  const [grace, setGrace] = useState('86400')
  const task = useTask(async () => {
    const body = { grace_seconds: Number(grace) }
    issue(await send<IssuedCredential>('POST', `/api/credentials/${id}/rotate`, body))
    void refresh('/api/credentials')
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        task.start()
      }}
    >
      <Stack>
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
        <Text size="sm" c="dimmed">
          The key stays the same.
        </Text>
        {task.error !== null && <FailureNotice error={task.error} title="Could not rotate the secret" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={task.isRunning}>
            Create new secret
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
