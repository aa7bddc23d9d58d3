import { Stack, Text } from '@mantine/core'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { useHere } from '../session.tsx'
import { DevicesPanel } from './devices-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

export function AccountPage() {
  const { person } = useHere()
  return (
    <Page title="Account" lead="How you sign in and where you are signed in, whichever company you look at.">
      <Stack>
        <Panel title="You">
          <Text fw={600}>{person.name}</Text>
          <Text c="dimmed">{person.email}</Text>
        </Panel>
        <PasswordPanel />
        <TwoFactorPanel />
        <DevicesPanel />
      </Stack>
    </Page>
  )
}
