import { Alert, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { PasswordDialog } from '../account/password-dialog.tsx'
import type { Member } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh, renewSession } from '../queries.ts'
import { useAnswer, useHere, useSend } from '../session.tsx'
import { useRestoreCompany } from './restore-company.ts'

/** To hand the company to somebody else, and to delete it. */
export function EndingPanel() {
  const { company } = useHere()
  const { data: members = [] } = useAnswer<readonly Member[]>('/members')
  const [open, setOpen] = useState<'transfer' | 'delete' | null>(null)
  const others = members.filter(({ is_you }) => !is_you)
  const close = () => setOpen(null)
  if (company.delete_after !== null) return <Ending deleteAfter={company.delete_after} />
  return (
    <Panel title="Danger zone" lead="Both take your password.">
      <Stack align="flex-start">
        <Text>Hand the company to another member. You stay as a developer.</Text>
        <AllowedButton
          needs="owner"
          because={others.length === 0 ? 'There is no other member. Invite somebody first.' : null}
          variant="default"
          onClick={() => setOpen('transfer')}
        >
          Transfer company
        </AllowedButton>
        <Text>
          Delete the company with its data, credentials and members. Credentials stop working at once. You can undo it
          for seven days.
        </Text>
        <AllowedButton needs="owner" color="red.9" onClick={() => setOpen('delete')}>
          Delete company
        </AllowedButton>
      </Stack>
      {open === 'transfer' && <TransferDialog members={others} close={close} />}
      {open === 'delete' && <DeleteDialog close={close} />}
    </Panel>
  )
}

function Ending({ deleteAfter }: { readonly deleteAfter: string }) {
  const { company } = useHere()
  const task = useRestoreCompany()
  return (
    <Panel title="This company is about to be deleted">
      <Stack align="flex-start">
        <Alert color="orange">
          <bdi>{company.name}</bdi> and all that belongs to it is deleted <When at={deleteAfter} as="planned" />.
        </Alert>
        {task.error !== null && <FailureNotice error={task.error} title="Could not undo it" />}
        <AllowedButton needs="owner" worksOnEnding loading={task.isRunning} onClick={task.start}>
          Undo the deletion
        </AllowedButton>
      </Stack>
    </Panel>
  )
}

interface TransferDialogProps {
  readonly members: readonly Member[]
  readonly close: () => void
}

function TransferDialog({ members, close }: TransferDialogProps) {
  const { company } = useHere()
  const send = useSend()
  const [to, setTo] = useState<string | null>(null)
  const run = async (password: string) => {
    await send('POST', '/company/transfer', { person_id: to, password })
    close()
    await renewSession()
    await refresh('/members', '/invitations')
    notifications.show({ message: 'The company is transferred. You are a developer now.' })
  }
  return (
    <PasswordDialog
      title={`Transfer ${company.name}?`}
      action="Transfer"
      isGrave
      hasFields
      isReady={to !== null}
      run={run}
      close={close}
    >
      <Text>
        The new owner can do everything, also remove you. Only an owner can give the company back. Open invitations that
        you have sent end.
      </Text>
      <Select
        label="New owner"
        data-autofocus
        data={members.map(({ person_id, name, email }) => ({ value: person_id, label: `${name} (${email})` }))}
        value={to}
        onChange={setTo}
        searchable={members.length > 10}
        comboboxProps={{ withinPortal: false }}
      />
    </PasswordDialog>
  )
}

function DeleteDialog({ close }: { readonly close: () => void }) {
  const { company } = useHere()
  const send = useSend()
  const [typed, setTyped] = useState('')
  const run = async (password: string) => {
    await send('POST', '/company/delete', { name: typed, password })
    close()
    await renewSession()
  }
  return (
    <PasswordDialog
      title={`Delete ${company.name}?`}
      action="Delete company"
      isGrave
      hasFields
      isReady={typed.trim() === company.name.trim()}
      run={run}
      close={close}
    >
      <Text>
        All applications lose access at once. In seven days, everything is deleted: bids, projects, credentials, members
        and the activity. Until then, an owner can undo it.
      </Text>
      <TextInput
        label={
          <>
            Type <bdi className="strong">{company.name}</bdi> to go on
          </>
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </PasswordDialog>
  )
}
