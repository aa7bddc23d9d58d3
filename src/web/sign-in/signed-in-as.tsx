import { Anchor } from '@mantine/core'
import type { Session } from '../api-types.ts'
import { signOut } from '../shell/sign-out.ts'

/** Below the card of a page without the shell: who is signed in, and the way out. */
export function SignedInAs({ person }: { readonly person: Session['person'] }) {
  return (
    <>
      You are signed in as <bdi dir="ltr">{person.email}</bdi>.{' '}
      <Anchor component="button" type="button" onClick={() => void signOut()}>
        Sign out
      </Anchor>
    </>
  )
}
