import { Alert, Anchor, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import { Loaded } from '../parts/loaded.tsx'
import { useSetup } from '../queries.ts'
import { linkTo } from '../router.tsx'
import { EmailField, Form } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { typedEmail } from './typed-email.ts'

export function ForgotPage() {
  const setup = useSetup()
  return (
    <SignInFrame title="Forgot your password?" below={<Anchor {...linkTo('/sign-in')}>Back to sign in</Anchor>}>
      <Loaded query={setup} what="this page" lines={2}>
        {({ email_enabled }) => (email_enabled ? <ForgotForm /> : <AskOperator />)}
      </Loaded>
    </SignInFrame>
  )
}

function ForgotForm() {
  const [email, setEmail] = useState(typedEmail)
  const [isSent, setSent] = useState(false)
  if (isSent) {
    return (
      <Alert color="green" title="Check your e-mail" role="status">
        If {email} has an account here, a link to set a new password is on its way. It works for an hour.
      </Alert>
    )
  }
  const submit = async () => {
    await send('POST', '/api/auth/request-password-reset', { email: email.trim(), redirectTo: '/reset-password' })
    setSent(true)
  }
  return (
    <Form action="Send me a link" failed="Could not send the link" submit={submit}>
      <EmailField value={email} change={setEmail} />
    </Form>
  )
}

function AskOperator() {
  return (
    <Text>
      This installation sends no e-mail. Whoever runs it can make a link for you with the command{' '}
      <Code>user reset-password EMAIL</Code>.
    </Text>
  )
}
