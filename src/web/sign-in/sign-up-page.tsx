import { Anchor, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { send } from '../api.ts'
import { Loaded } from '../parts/loaded.tsx'
import { renewSession, useSessionQuery, useSetup } from '../queries.ts'
import { linkTo, navigate } from '../router.tsx'
import { EmailField, Form, NameField, PasswordField } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** The first account of a fresh installation, or any account where sign-up is open. */
export function SignUpPage() {
  const setup = useSetup()
  const { data: session } = useSessionQuery()
  useEffect(() => {
    if (session) navigate(session.company ? '/' : '/new-company', 'replace')
  }, [session])
  const isFirst = setup.data?.first_run ?? false
  return (
    <SignInFrame
      title={isFirst ? 'Create the first account' : 'Create an account'}
      lead={isFirst ? 'This installation is new. You become the owner of its first company.' : undefined}
      below={
        isFirst ? undefined : (
          <>
            Have an account? <Anchor {...linkTo('/sign-in')}>Sign in</Anchor>
          </>
        )
      }
    >
      <Loaded query={setup} what="the sign-up" lines={3}>
        {({ first_run, signup }) =>
          first_run || signup === 'open' ? (
            <SignUpForm />
          ) : (
            <Text>Accounts are by invitation here. Ask an owner of your company for a link.</Text>
          )
        }
      </Loaded>
    </SignInFrame>
  )
}

const fields = { name: 'Your name', email: 'E-mail', password: 'Password' }

function SignUpForm() {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const submit = async () => {
    await send('POST', '/api/auth/sign-up/email', { name: name.trim(), email: email.trim(), password })
    await renewSession()
  }
  return (
    <Form action="Create account" failed="Could not create the account" fields={fields} submit={submit}>
      {(errorAt) => (
        <>
          <NameField value={name} change={setName} {...errorAt('name')} />
          <EmailField value={email} change={setEmail} {...errorAt('email')} />
          <PasswordField value={password} change={setPassword} isNew {...errorAt('password')} />
        </>
      )}
    </Form>
  )
}
