import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { RateField } from './rate-field.tsx'

export function LimitDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const [rate, setRate] = useState(credential.rate_limit)
  const task = useTask(async () => {
    await send('PATCH', `/api/credentials/${credential.id}`, { rate_limit: rate })
    await refresh('/api/credentials')
    close()
  })
  return (
    <Dialog close={close} title={`Rate limit of ${credential.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          task.start()
        }}
      >
        <Stack>
          <RateField rate={rate} onChange={setRate} isFirst />
          {task.error !== null && <FailureNotice error={task.error} title="Could not change the rate limit" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={task.isRunning}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
