import { useState } from 'react'
import type { Credential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { NameField } from '../parts/name-field.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'

export function RenameDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const [name, setName] = useState(credential.name)
  const send = useSend()
  const task = useTask(async () => {
    await send('PATCH', `/credentials/${credential.id}`, { name: name.trim() })
    await refresh('/credentials', '/overview')
    close()
  })
  return (
    <Dialog close={close} title={`Rename ${credential.name}`}>
      <DialogForm task={task} action="Rename" failed="Could not rename it" cancel={close} fields={{ name: 'Name' }}>
        {(errorAt) => <NameField value={name} change={setName} {...errorAt('name')} />}
      </DialogForm>
    </Dialog>
  )
}
