import { Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { KnownPerson, Role } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { RoleChoice } from './role-choice.tsx'
import { roleLabel } from './roles.ts'

interface AddDialogProps {
  readonly people: readonly KnownPerson[]
  readonly close: () => void
}

/** Adds somebody from another company of the owner, without an invitation. */
export function AddDialog({ people, close }: AddDialogProps) {
  const [id, setId] = useState<string | null>(null)
  const [role, setRole] = useState<Role>('developer')
  const send = useSend()
  const task = useTask(async () => {
    await send('POST', '/members', { person_id: id, role })
    await refresh('/members')
    const name = people.find(({ person_id }) => person_id === id)?.name
    notifications.show({ message: `${name} is now ${roleLabel(role)}.` })
    close()
  })
  return (
    <Dialog close={close} title="Add someone from another company">
      <DialogForm task={task} action="Add member" failed="Could not add them" cancel={close} isReady={id !== null}>
        <Select
          label="Person"
          description="Members of the other companies that you own. They are added at once, without an invitation."
          searchable
          openOnFocus={false}
          allowDeselect={false}
          data={people.map(({ person_id, name, email }) => ({ value: person_id, label: `${name} (${email})` }))}
          value={id}
          onChange={setId}
          data-autofocus
        />
        <RoleChoice role={role} change={setRole} />
      </DialogForm>
    </Dialog>
  )
}
