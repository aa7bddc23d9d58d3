import { Alert, Anchor } from '@mantine/core'
import { useEffect } from 'react'
import { isReference } from '../paths.ts'
import { renewSession, useSessionQuery, useSetup } from '../queries.ts'
import { linkTo, navigate, usePlace } from '../router.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function SignInPage() {
  const { search } = usePlace()
  const { data: setup } = useSetup()
  const { data: session } = useSessionQuery()
  const next = ownPath(search.get('next'))

  useEffect(() => {
    if (session && isReference(next)) location.replace(next)
    else if (session) navigate(next, 'replace')
    else if (setup?.first_run) navigate('/sign-up', 'replace')
  }, [session, setup, next])

  return (
    <SignInFrame
      title="Sign in"
      below={
        setup?.signup === 'open' ? (
          <>
            New here? <Anchor {...linkTo('/sign-up')}>Create an account</Anchor>
          </>
        ) : (
          'No account? Ask an owner of your company for an invitation.'
        )
      }
    >
      {search.has('reset') && <Alert color="green">Your password is changed. Sign in with the new one.</Alert>}
      <SignInForm done={renewSession} />
      <Anchor size="sm" {...linkTo('/forgot')}>
        Forgot your password?
      </Anchor>
    </SignInFrame>
  )
}

/** `/bids?page=2` stays; an address elsewhere becomes the overview. */
function ownPath(path: string | null): string {
  return path !== null && /^\/(?![/\\])/.test(path) ? path : '/'
}
