import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Webhook } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'

const hourMs = 3_600_000

const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: 'time', label: 'Since a time …' },
]

export function ReplayDialog({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const [span, setSpan] = useState('1')
  const [time, setTime] = useState('')
  const send = useSend()
  const task = useTask(async () => {
    const since = span === 'time' ? new Date(time) : new Date(Date.now() - Number(span) * hourMs)
    await send('POST', `/webhooks/${webhook.id}/replay`, { since: since.toISOString() })
    await refresh('/webhooks')
    notifications.show({ message: 'The events are being sent again.' })
    close()
  })
  const isReady = span !== 'time' || !Number.isNaN(Date.parse(time))
  return (
    <Dialog title="Send events again" close={close}>
      <DialogForm
        task={task}
        action="Send again"
        failed="Could not send the events again"
        cancel={close}
        isReady={isReady}
        fields={{ since: 'Since' }}
      >
        {(errorAt) => (
          <>
            <Text size="sm">
              Every event of this time is sent again in order, with the same id as before, so that a receiver can tell
              which ones it knows.
            </Text>
            <Radio.Group label="Events of" value={span} onChange={(value) => setSpan(String(value))}>
              <Stack gap="xs" mt={6}>
                {spans.map((one, at) => (
                  <Radio key={one.value} {...one} {...(at === 0 ? { 'data-autofocus': true } : {})} />
                ))}
              </Stack>
            </Radio.Group>
            {span === 'time' && (
              <TextInput
                label="Since"
                type="datetime-local"
                required
                withAsterisk={false}
                value={time}
                onChange={(event) => setTime(event.currentTarget.value)}
                {...errorAt('since')}
              />
            )}
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
