import { Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { renewSession } from '../queries.ts'
import { addPasskey } from '../sign-in/passkey.ts'
import { deviceName } from './device-name.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** Asks for a name and the password; then the browser asks for the rest. */
export function AddPasskeyDialog({ close }: { readonly close: () => void }) {
  const [name, setName] = useState(deviceName(navigator.userAgent))
  const run = async (password: string) => {
    if (!(await addPasskey(name.trim(), password))) return
    close()
    await renewSession()
    notifications.show({ message: 'The passkey is added.' })
  }
  const isReady = name.trim() !== ''
  return (
    <PasswordDialog title="Add a passkey" action="Continue" hasFields {...{ isReady, run, close }}>
      <Text>Your browser then asks for your fingerprint, your face, the screen lock or a security key.</Text>
      <PasskeyNameField value={name} change={setName} />
    </PasswordDialog>
  )
}

interface PasskeyNameFieldProps {
  readonly value: string
  readonly change: (value: string) => void
  readonly error?: string
}

export const PasskeyNameField = ({ value, change, ...rest }: PasskeyNameFieldProps) => (
  <TextInput
    label="Name"
    description="To tell it apart from others, such as the device that holds it."
    required
    withAsterisk={false}
    maxLength={100}
    autoComplete="off"
    dir="auto"
    data-autofocus
    value={value}
    onChange={(event) => change(event.currentTarget.value)}
    {...rest}
  />
)
