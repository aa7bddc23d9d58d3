import { Alert, Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { isFailure, send } from '../api.ts'
import type { NewEmail } from '../api-types.ts'
import { Loaded } from '../parts/loaded.tsx'
import { renewSession, useSessionQuery } from '../queries.ts'
import { linkTo, usePlace } from '../router.tsx'
import { Form } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { useLinkCheck } from './use-link-check.ts'

/** Where the link to a new address leads. It asks once more, because programs that check mail open links, too. */
export function ConfirmEmailPage() {
  const token = usePlace().search.get('token') ?? ''
  const link = useLinkCheck<NewEmail>('confirm-email', token)
  const [confirmed, setConfirmed] = useState<string | null>(null)
  return (
    <SignInFrame title="Confirm your e-mail address" below={<Anchor {...linkTo('/')}>To the settings</Anchor>}>
      {confirmed !== null ? (
        <Confirmed email={confirmed} />
      ) : isFailure(link.error, 'invalid_token') ? (
        <Alert color="orange" title="This link does not work any more">
          Each link works once, for an hour. Change your address in <em>Account</em> to get a new one.
        </Alert>
      ) : (
        <Loaded query={link} what="the link" lines={2}>
          {({ email }) => <ConfirmForm email={email} token={token} confirmed={setConfirmed} />}
        </Loaded>
      )}
    </SignInFrame>
  )
}

interface ConfirmFormProps extends NewEmail {
  readonly token: string
  readonly confirmed: (email: string) => void
}

function ConfirmForm({ email, token, confirmed }: ConfirmFormProps) {
  const submit = async () => {
    await send('POST', '/api/account/email/confirm', { token })
    await renewSession()
    confirmed(email)
  }
  return (
    <>
      <Text>
        From then on, the account that asked for this link signs in as <bdi className="strong wrap">{email}</bdi>.
      </Text>
      <Form action="Confirm" failed="Could not change the address" submit={submit}>
        {null}
      </Form>
    </>
  )
}

/** Whoever reads the mail may be signed in here as somebody else. */
function Confirmed({ email }: NewEmail) {
  const { data: session } = useSessionQuery()
  const other = session && session.person.email !== email ? session.person.email : null
  return (
    <Alert color="green" role="status">
      {other === null ? (
        <>
          You sign in as <bdi className="wrap">{email}</bdi> from now on.
        </>
      ) : (
        <>
          The address is confirmed: its account signs in as <bdi className="wrap">{email}</bdi> from now on. In this
          browser, you are signed in as <bdi className="wrap">{other}</bdi>.
        </>
      )}
    </Alert>
  )
}
