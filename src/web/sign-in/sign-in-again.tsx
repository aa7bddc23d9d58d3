import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Session } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { leaveSession, renewSession } from '../queries.ts'
import { EmailField, Form, PasswordField } from './form.tsx'

/** Over the page, so that nothing that was typed there is lost. What waits for it then goes on. */
export function SignInAgain({ person }: { readonly person: Session['person'] }) {
  const [password, setPassword] = useState('')
  const submit = async () => {
    await send('POST', '/api/auth/sign-in/email', { email: person.email, password })
    await renewSession()
  }
  return (
    <Dialog title="Sign in again" close={null}>
      <Text mb="md">Your session has ended. Sign in, and go on where you were: nothing that you typed is lost.</Text>
      <Form action="Sign in" failed="Could not sign in" submit={submit}>
        <EmailField value={person.email} change={() => {}} readOnly />
        <PasswordField value={password} change={setPassword} isFocused />
      </Form>
      <Button variant="subtle" fullWidth mt="xs" onClick={leaveSession}>
        Sign in as somebody else
      </Button>
    </Dialog>
  )
}
