import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, send } from '../api.ts'
import type { Account } from '../api-types.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { leaveSession } from '../queries.ts'
import { navigate } from '../router.tsx'
import { useSession } from '../session.tsx'
import { PasswordDialog } from './password-dialog.tsx'

export function DeleteAccountPanel() {
  const { person } = useSession()
  const [isAsking, setAsking] = useState(false)
  const account = useQuery({
    queryKey: ['person', person.id, '/account'],
    queryFn: () => get<Account>('/api/account'),
  })
  return (
    <Panel
      title="Delete account"
      lead="What you did stays in the activity of your companies, with your e-mail address."
    >
      <Loaded query={account} what="your account" lines={2}>
        {({ only_owner_of: owned }) =>
          owned.length > 0 ? (
            <Text>
              You are the only owner of <bdi>{owned.map(({ name }) => name).join(', ')}</bdi>. Transfer or delete{' '}
              {owned.length === 1 ? 'it' : 'them'} first, on the page <em>Company</em>.
            </Text>
          ) : (
            <Button color="red.9" onClick={() => setAsking(true)}>
              Delete my account
            </Button>
          )
        }
      </Loaded>
      {isAsking && (
        <DeleteDialog
          email={person.email}
          ending={account.data?.only_owner_of_deleted ?? []}
          close={() => setAsking(false)}
        />
      )}
    </Panel>
  )
}

interface DeleteDialogProps {
  readonly email: string
  readonly ending: Account['only_owner_of_deleted']
  readonly close: () => void
}

function DeleteDialog({ email, ending, close }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const run = async (password: string) => {
    await send('POST', '/api/account/delete', { email: typed.trim(), password })
    leaveSession()
    navigate('/sign-in?account=deleted', 'replace')
  }
  const isReady = typed.trim().toLowerCase() === email
  return (
    <PasswordDialog title="Delete your account?" action="Delete account" isGrave hasFields {...{ isReady, run, close }}>
      <Stack>
        <Text>You leave all of your companies and cannot sign in any more. This cannot be undone.</Text>
        {ending.length > 0 && (
          <Text>
            You are the only owner of <bdi>{ending.map(({ name }) => name).join(', ')}</bdi>, which{' '}
            {ending.length === 1 ? 'is' : 'are'} about to be deleted. Without you, no member can undo that.
          </Text>
        )}
        <TextInput
          label={
            <>
              Type <bdi className="strong">{email}</bdi> to go on
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      </Stack>
    </PasswordDialog>
  )
}
