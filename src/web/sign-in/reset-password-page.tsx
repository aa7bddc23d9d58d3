import { Alert, Anchor } from '@mantine/core'
import { useState } from 'react'
import { isFailure, send } from '../api.ts'
import { Loaded } from '../parts/loaded.tsx'
import { linkTo, navigate, usePlace } from '../router.tsx'
import { Form, PasswordField } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { useLinkCheck } from './use-link-check.ts'

export function ResetPasswordPage() {
  const { search } = usePlace()
  const token = search.get('token') ?? ''
  const link = useLinkCheck<null>('reset-password', token)
  return (
    <SignInFrame title="Set a new password" below={<Anchor {...linkTo('/sign-in')}>Back to sign in</Anchor>}>
      {token === '' || search.has('error') || isFailure(link.error, 'invalid_token') ? (
        <Alert color="orange" title="This link does not work any more">
          <Anchor c="inherit" {...linkTo('/forgot')}>
            Ask for a new one
          </Anchor>
          . Each link works once, for an hour.
        </Alert>
      ) : (
        <Loaded query={link} what="the link" lines={2}>
          {() => <ResetForm token={token} />}
        </Loaded>
      )}
    </SignInFrame>
  )
}

function ResetForm({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('')
  const submit = async () => {
    await send('POST', '/api/auth/reset-password', { newPassword: password, token })
    navigate('/sign-in?reset=done', 'replace')
  }
  return (
    <Form
      action="Set password"
      failed="Could not set the password"
      fields={{ newPassword: 'New password' }}
      submit={submit}
    >
      {(errorAt) => (
        <PasswordField value={password} change={setPassword} isNew label="New password" {...errorAt('newPassword')} />
      )}
    </Form>
  )
}
