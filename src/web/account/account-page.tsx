import { Stack } from '@mantine/core'
import { Page } from '../parts/page.tsx'
import { DeleteAccountPanel } from './delete-account-panel.tsx'
import { DevicesPanel } from './devices-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SignInsPanel } from './sign-ins-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'
import { YouPanel } from './you-panel.tsx'

export function AccountPage() {
  return (
    <Page title="Account" lead="How you sign in and where you are signed in, whichever company you look at.">
      <Stack>
        <YouPanel />
        <PasswordPanel />
        <TwoFactorPanel />
        <PasskeysPanel />
        <DevicesPanel />
        <SignInsPanel />
        <DeleteAccountPanel />
      </Stack>
    </Page>
  )
}
