import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'

export function RenameDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const [name, setName] = useState(credential.name)
  const task = useTask(async () => {
    await send('PATCH', `/api/credentials/${credential.id}`, { name: name.trim() })
    await refresh('/api/credentials', '/api/overview')
    close()
  })
  return (
    <Dialog close={close} title={`Rename ${credential.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          task.start()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            maxLength={100}
            autoComplete="off"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {task.error !== null && <FailureNotice error={task.error} title="Could not rename it" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={task.isRunning}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
