import { Alert, Anchor } from '@mantine/core'
import { useEffect } from 'react'
import { send } from '../api.ts'
import { isReference } from '../paths.ts'
import { renewSession, useSessionQuery, useSetup } from '../queries.ts'
import { linkTo, navigate, usePlace } from '../router.tsx'
import { Form } from './form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function SignInPage() {
  const { search } = usePlace()
  const { data: setup } = useSetup()
  const { data: session } = useSessionQuery()
  const next = ownPath(search.get('next'))
  const refusal = refusalOf(search.get('error'))

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
      {search.get('account') === 'deleted' && (
        <Alert color="green" role="status">
          Your account is deleted. You have left all of your companies.
        </Alert>
      )}
      {refusal !== null && <Alert color="orange">{refusal}</Alert>}
      {setup?.oidc_name && <ProviderButton name={setup.oidc_name} next={next} />}
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

interface ProviderButtonProps {
  readonly name: string
  readonly next: string
}

/** Leads to the provider of sign-ins, and from there back to where the person wanted to be. */
function ProviderButton({ name, next }: ProviderButtonProps) {
  const submit = async () => {
    const { url } = await send<{ readonly url: string }>('POST', '/api/auth/sign-in/social', { next })
    location.assign(url)
  }
  return (
    <Form action={`Continue with ${name}`} failed="Could not sign in" submit={submit}>
      {null}
    </Form>
  )
}

/** Why the provider did not lead on. */
function refusalOf(error: string | null): string | null {
  if (error === null) return null
  return refusals[error] ?? 'The sign-in with the provider did not work. Try again, or sign in with your password.'
}

const refusals: Readonly<Record<string, string>> = {
  signup_closed: 'Accounts are by invitation here. Ask an owner of your company to invite your address.',
  email_not_verified: 'The provider has not verified your e-mail address. Verify it there, then try again.',
  account_not_linked:
    'There is an account with your e-mail address that was never verified. Set a new password for it by e-mail, or ask the operator, then try again.',
}
