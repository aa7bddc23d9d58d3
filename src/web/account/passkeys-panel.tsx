import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, send } from '../api.ts'
import type { Passkey } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh, renewSession } from '../queries.ts'
import { useSession } from '../session.tsx'
import { usePasskeyProblem } from '../sign-in/passkey.ts'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { useTask } from '../use-task.ts'
import { AddPasskeyDialog, nameHint } from './add-passkey-dialog.tsx'

const columns: readonly TableColumn<Passkey>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => <bdi className="strong wrap">{name}</bdi>,
  },
  { id: 'created_at', header: 'Added', cell: ({ created_at }) => <When at={created_at} /> },
  {
    id: 'last_used_at',
    header: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <When at={last_used_at} />),
  },
]

type Open = { readonly action: 'add' } | { readonly action: 'rename' | 'delete'; readonly passkey: Passkey } | null

export function PasskeysPanel() {
  const { person } = useSession()
  const [open, setOpen] = useState<Open>(null)
  const problem = usePasskeyProblem()
  const passkeys = useQuery({
    queryKey: ['person', person.id, '/passkeys'],
    queryFn: () => get<readonly Passkey[]>('/api/passkeys'),
  })
  const close = () => {
    setOpen(null)
    void refresh('/passkeys')
  }
  const menu = (passkey: Passkey) => [
    { label: 'Rename', icon: 'edit', run: () => setOpen({ action: 'rename', passkey }) } as const,
    { label: 'Delete', icon: 'trash', isGrave: true, run: () => setOpen({ action: 'delete', passkey }) } as const,
  ]
  return (
    <Panel
      title="Passkeys"
      lead="Sign in with your fingerprint, face or screen lock, without password and code. A passkey cannot be guessed or phished."
      aside={
        problem === null && (
          <Button size="xs" variant="default" onClick={() => setOpen({ action: 'add' })}>
            Add a passkey
          </Button>
        )
      }
    >
      <Stack>
        {problem && <Text>{problem}</Text>}
        <Loaded query={passkeys} what="the passkeys" lines={2}>
          {(found) =>
            found.length === 0 ? (
              <Text>You have none yet.</Text>
            ) : (
              <DataTable
                caption="Passkeys"
                columns={columns}
                rows={found}
                rowKey={({ id }) => id}
                nameOf={({ name }) => name}
                menu={menu}
              />
            )
          }
        </Loaded>
      </Stack>
      {open?.action === 'add' && <AddPasskeyDialog close={close} />}
      {open?.action === 'rename' && <RenameDialog passkey={open.passkey} close={close} />}
      {open?.action === 'delete' && <DeleteDialog passkey={open.passkey} close={close} />}
    </Panel>
  )
}

interface DialogProps {
  readonly passkey: Passkey
  readonly close: () => void
}

function RenameDialog({ passkey, close }: DialogProps) {
  const [name, setName] = useState(passkey.name)
  const task = useTask(async () => {
    await send('PATCH', `/api/passkeys/${passkey.id}`, { name: name.trim() })
    close()
  })
  return (
    <Dialog close={close} title={`Rename ${passkey.name}`}>
      <DialogForm task={task} action="Rename" failed="Could not rename it" cancel={close} fields={{ name: 'Name' }}>
        {(errorAt) => <NameField description={nameHint} value={name} change={setName} {...errorAt('name')} />}
      </DialogForm>
    </Dialog>
  )
}

function DeleteDialog({ passkey, close }: DialogProps) {
  const run = async () => {
    await send('DELETE', `/api/passkeys/${passkey.id}`)
    await renewSession()
  }
  return (
    <ConfirmDialog title={`Delete ${passkey.name}?`} action="Delete passkey" run={run} close={close}>
      <Text>
        It no longer signs you in here. Delete it on your device, too, which may go on offering it. Sessions that were
        started with it continue.
      </Text>
    </ConfirmDialog>
  )
}
