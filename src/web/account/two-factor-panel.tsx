import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, send } from '../api.ts'
import type { RecoveryCodes as Codes, TwoFactor } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh, renewSession } from '../queries.ts'
import { useSession } from '../session.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

type Open = 'set up' | 'renew' | 'turn off' | null

export function TwoFactorPanel() {
  const { person } = useSession()
  const [open, setOpen] = useState<Open>(null)
  const state = useQuery({
    queryKey: ['person', person.id, '/two-factor'],
    queryFn: () => get<TwoFactor>('/api/two-factor'),
  })
  const close = () => {
    setOpen(null)
    void refresh('/two-factor')
  }
  return (
    <Panel
      title="Two-factor sign-in"
      lead="A code of your phone besides the password: a stolen password alone opens nothing."
    >
      <Loaded query={state} what="the state" lines={2}>
        {(found) => (found.is_on ? <On state={found} open={setOpen} /> : <Off open={setOpen} />)}
      </Loaded>
      {open === 'set up' && <SetUpDialog close={close} />}
      {open === 'renew' && <RenewDialog close={close} />}
      {open === 'turn off' && <TurnOffDialog close={close} />}
    </Panel>
  )
}

const Off = ({ open }: { readonly open: (open: Open) => void }) => (
  <Group>
    <Text>It is off.</Text>
    <Button onClick={() => open('set up')}>Set up</Button>
  </Group>
)

function On({ state, open }: { readonly state: TwoFactor; readonly open: (open: Open) => void }) {
  const { since, recovery_codes_left: left } = state
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="green">On</Badge>
        {since && (
          <Text size="sm">
            since <When at={since} as="day" />
          </Text>
        )}
      </Group>
      <Text size="sm" {...(left <= 3 ? { fw: 600 } : { c: 'dimmed' })}>
        {left} recovery {left === 1 ? 'code' : 'codes'} left{left <= 3 && '. Make new ones before they run out'}.
      </Text>
      <Group>
        <Button variant="default" onClick={() => open('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" onClick={() => open('turn off')}>
          Turn off
        </Button>
      </Group>
    </Stack>
  )
}

interface DialogProps {
  readonly close: () => void
}

function SetUpDialog({ close }: DialogProps) {
  const [isOn, setOn] = useState(false)
  const done = () => {
    close()
    void renewSession()
    notifications.show({ message: 'Two-factor sign-in is on.' })
  }
  return (
    <Dialog title={isOn ? 'Your recovery codes' : 'Set up two-factor sign-in'} close={isOn ? null : close}>
      <TwoFactorSetup turnedOn={() => setOn(true)} done={done} />
    </Dialog>
  )
}

function RenewDialog({ close }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) {
    return (
      <Dialog title="Your recovery codes" close={null}>
        <RecoveryCodes codes={codes} done={close} />
      </Dialog>
    )
  }
  const run = async (password: string) => {
    const { recovery_codes } = await send<Codes>('POST', '/api/two-factor/recovery-codes', { password })
    setCodes(recovery_codes)
  }
  return (
    <PasswordDialog title="New recovery codes" action="Make new codes" run={run} close={close}>
      <Text>All codes that you have now stop working.</Text>
    </PasswordDialog>
  )
}

function TurnOffDialog({ close }: DialogProps) {
  const { companies, person } = useSession()
  const requiring = person.signed_in_by_passkey ? [] : companies.filter((one) => one.two_factor_required)
  const run = async (password: string) => {
    await send('POST', '/api/two-factor/turn-off', { password })
    close()
    await renewSession()
  }
  return (
    <PasswordDialog title="Turn off two-factor sign-in?" action="Turn off" isGrave run={run} close={close}>
      <Text>The password alone signs you in then.</Text>
      {requiring.length > 0 && (
        <Text>
          You lose access to <bdi>{requiring.map(({ name }) => name).join(', ')}</bdi> until you{' '}
          {person.has_passkey ? 'sign in with a passkey' : 'set it up again'}: two-factor sign-in is required there.
        </Text>
      )}
    </PasswordDialog>
  )
}
