import { useState } from 'react'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { AccessFields, type AccessForm, accessFields, isUsable } from './access-fields.tsx'

/** Changes what a credential may do. It counts at once. */
export function AccessDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const { access, may, resources, addresses } = credential
  const [form, setForm] = useState<AccessForm>({ access, may, resources, addresses })
  const send = useSend()
  const task = useTask(async () => {
    await send('PATCH', `/credentials/${credential.id}`, form)
    await refresh('/credentials')
    close()
  })
  return (
    <Dialog close={close} title={`Access of ${credential.name}`}>
      <DialogForm
        task={task}
        action="Save"
        failed="Could not change the access"
        cancel={close}
        fields={accessFields}
        isReady={isUsable(form)}
      >
        {(errorAt) => <AccessFields form={form} change={setForm} errorAt={errorAt} />}
      </DialogForm>
    </Dialog>
  )
}
