import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import { CodeField, EmailField, Form, PasswordField } from './form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { rememberEmail } from './typed-email.ts'

interface SignInFormProps {
  /** Where it is known already. */
  readonly email?: string
  readonly action?: string
  readonly failed?: string
  readonly isFocused?: boolean
  /** Somebody is signed in now. */
  readonly done: () => Promise<unknown>
}

/** The password, and then a code where the person has set up two factors; or a passkey in place of both. */
export function SignInForm({
  email: known,
  action = 'Sign in',
  failed = 'Could not sign in',
  isFocused = false,
  done,
}: SignInFormProps) {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const change = (text: string) => {
    setEmail(text)
    rememberEmail(text)
  }
  const submit = async () => {
    const body = { email: email.trim(), password }
    const answer = await send<{ readonly twoFactorRedirect?: boolean }>('POST', '/api/auth/sign-in/email', body)
    if (answer.twoFactorRedirect) setNeedsCode(true)
    else await done()
  }
  if (needsCode) return <CodeForm {...{ action, failed, done }} goBack={() => setNeedsCode(false)} />
  return (
    <Stack>
      <Form action={action} failed={failed} submit={submit}>
        <EmailField value={email} change={change} readOnly={known !== undefined} />
        <PasswordField value={password} change={setPassword} isFocused={isFocused} />
      </Form>
      <PasskeyButton done={done} />
    </Stack>
  )
}

interface CodeFormProps {
  readonly action: string
  readonly failed: string
  readonly done: () => Promise<unknown>
  readonly goBack: () => void
}

function CodeForm({ action, failed, done, goBack }: CodeFormProps) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const submit = async () => {
    await send('POST', `/api/auth/two-factor/verify-${isRecovery ? 'backup-code' : 'totp'}`, { code })
    await done()
  }
  const change = () => {
    setRecovery(!isRecovery)
    setCode('')
  }
  return (
    <div>
      <Text mb="md">
        {isRecovery
          ? 'Type one of the recovery codes that you stored when you set up two-factor sign-in. Each works once.'
          : 'Type the six digits that your authenticator app shows for Project API.'}
      </Text>
      <Form
        key={isRecovery ? 'recovery' : 'code'}
        action={action}
        failed={failed}
        fields={{ code: 'Code' }}
        submit={submit}
      >
        {(errorAt) => <CodeField value={code} change={setCode} isRecovery={isRecovery} {...errorAt('code')} />}
      </Form>
      <Button variant="subtle" fullWidth mt="xs" onClick={change}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
      <Button variant="subtle" fullWidth onClick={goBack}>
        Start again with the password
      </Button>
    </div>
  )
}
