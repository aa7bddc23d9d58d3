import { Alert, Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import { renewSession } from '../queries.ts'
import { linkTo, usePlace } from '../router.tsx'
import { Form } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Where the link to a new address leads. It asks once more, because programs that check mail open links, too. */
export function ConfirmEmailPage() {
  const { search } = usePlace()
  const [email, setEmail] = useState<string | null>(null)
  const submit = async () => {
    const answer = await send<{ readonly email: string }>('POST', '/api/account/email/confirm', {
      token: search.get('token') ?? '',
    })
    setEmail(answer.email)
    await renewSession()
  }
  return (
    <SignInFrame title="Confirm your e-mail address" below={<Anchor {...linkTo('/')}>To the settings</Anchor>}>
      {email === null ? (
        <>
          <Text>From then on, you sign in with this address.</Text>
          <Form action="Confirm" failed="Could not change the address" submit={submit}>
            {null}
          </Form>
        </>
      ) : (
        <Alert color="green" role="status">
          You sign in as <bdi>{email}</bdi> from now on.
        </Alert>
      )}
    </SignInFrame>
  )
}
