import { Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { RecoveryCodes as Codes, TwoFactorKey } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CodeField, Form, PasswordField } from '../sign-in/form.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface TwoFactorSetupProps {
  /** Told when a key was made. */
  readonly started?: () => void
  /** Told when it is on: from then on, the codes have to be seen. */
  readonly turnedOn?: () => void
  readonly done: () => void
}

/** Password, key, first code, recovery codes. */
export function TwoFactorSetup({ started, turnedOn, done }: TwoFactorSetupProps) {
  const [key, setKey] = useState<TwoFactorKey | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const confirmed = (made: readonly string[]) => {
    setCodes(made)
    turnedOn?.()
  }
  const begun = (made: TwoFactorKey) => {
    setKey(made)
    started?.()
  }
  if (codes) return <RecoveryCodes codes={codes} done={done} />
  return key ? <KeyStep twoFactorKey={key} confirmed={confirmed} /> : <PasswordStep started={begun} />
}

function PasswordStep({ started }: { readonly started: (key: TwoFactorKey) => void }) {
  const [password, setPassword] = useState('')
  const submit = async () => started(await send<TwoFactorKey>('POST', '/api/two-factor/start', { password }))
  return (
    <Stack>
      <Text>
        You need an authenticator app on your phone, such as Aegis, Google Authenticator or 1Password. From then on,
        each sign-in asks for a code that it shows. You are signed out everywhere else.
      </Text>
      <Form action="Continue" failed="Could not start" fields={{ password: 'Password' }} submit={submit}>
        {(errorAt) => <PasswordField value={password} change={setPassword} isFocused {...errorAt('password')} />}
      </Form>
    </Stack>
  )
}

interface KeyStepProps {
  readonly twoFactorKey: TwoFactorKey
  readonly confirmed: (codes: readonly string[]) => void
}

function KeyStep({ twoFactorKey: { uri, key }, confirmed }: KeyStepProps) {
  const [code, setCode] = useState('')
  const submit = async () => {
    const { recovery_codes } = await send<Codes>('POST', '/api/two-factor/confirm', { code })
    confirmed(recovery_codes)
  }
  return (
    <Stack>
      <Text>Scan this with the app, or type the key into it. Then type the code that the app shows.</Text>
      <QrCode text={uri} label="QR code of the key" />
      <div className="inline-copy">
        <Code className="wrap" data-testid="totp-key">
          {key.match(/.{4}/g)?.join(' ')}
        </Code>
        <CopyButton label="Copy key" text={key} iconOnly />
      </div>
      <Form action="Turn on" failed="Could not turn it on" fields={{ code: 'Code' }} submit={submit}>
        {(errorAt) => <CodeField value={code} change={setCode} isRecovery={false} {...errorAt('code')} />}
      </Form>
    </Stack>
  )
}
