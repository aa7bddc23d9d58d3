import { useState } from 'react'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { RateField } from './rate-field.tsx'

export function LimitDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const [rate, setRate] = useState(credential.rate_limit)
  const send = useSend()
  const task = useTask(async () => {
    await send('PATCH', `/credentials/${credential.id}`, { rate_limit: rate })
    await refresh('/credentials')
    close()
  })
  return (
    <Dialog close={close} title={`Rate limit of ${credential.name}`}>
      <DialogForm
        task={task}
        action="Save"
        failed="Could not change the rate limit"
        cancel={close}
        fields={{ rate_limit: 'Rate limit' }}
      >
        {(errorAt) => <RateField rate={rate} onChange={setRate} isFirst {...errorAt('rate_limit')} />}
      </DialogForm>
    </Dialog>
  )
}
