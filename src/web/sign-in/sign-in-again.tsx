import { Button, Text } from '@mantine/core'
import type { Session } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { leaveSession, renewSession } from '../queries.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Over the page, so that nothing that was typed there is lost. What waits for it then goes on. */
export function SignInAgain({ person }: { readonly person: Session['person'] }) {
  return (
    <Dialog title="Sign in again" close={null}>
      <Text mb="md">Your session has ended. Sign in, and go on where you were: nothing that you typed is lost.</Text>
      <SignInForm email={person.email} isFocused done={renewSession} />
      <Button variant="subtle" fullWidth mt="xs" onClick={leaveSession}>
        Sign in as somebody else
      </Button>
    </Dialog>
  )
}
