import { useState } from 'react'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { ExpiryField, expiryFormOf, expiryTime } from './expiry-field.tsx'

/** Changes when a credential ends. One that has expired works again. */
export function ExpiryDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const [form, setForm] = useState(() => expiryFormOf(credential.expires_at))
  const send = useSend()
  const task = useTask(async () => {
    await send('PATCH', `/credentials/${credential.id}`, { expires_at: expiryTime(form) })
    await refresh('/credentials', '/overview')
    close()
  })
  return (
    <Dialog close={close} title={`Expiry of ${credential.name}`}>
      <DialogForm
        task={task}
        action="Save"
        failed="Could not change the expiry"
        cancel={close}
        fields={{ expires_at: 'Expires' }}
      >
        {(errorAt) => <ExpiryField form={form} change={setForm} {...errorAt('expires_at')} />}
      </DialogForm>
    </Dialog>
  )
}
