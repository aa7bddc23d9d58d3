import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { NameField } from '../parts/name-field.tsx'
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
      <NameField description={nameHint} value={name} change={setName} />
    </PasswordDialog>
  )
}

/** Beside the field for the name of a passkey. */
export const nameHint = 'To tell it apart from others, such as the device that holds it.'
