import { Badge, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { get, send } from '../api.ts'
import type { SignedInDevice } from '../api-types.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { showFailure } from '../parts/toasts.tsx'
import { When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useSession } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { useTask } from '../use-task.ts'
import { deviceName } from './device-name.ts'

const columns: readonly TableColumn<SignedInDevice>[] = [
  { id: 'device', header: 'Device', cell: (device) => <Device device={device} /> },
  { id: 'address', header: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { id: 'created_at', header: 'Signed in', cell: ({ created_at }) => <When at={created_at} /> },
  { id: 'updated_at', header: 'Last seen', cell: (device) => <LastSeen device={device} /> },
  {
    id: 'actions',
    header: 'Actions',
    cell: (device) => (device.is_current ? <Text size="sm">–</Text> : <SignOutButton device={device} />),
  },
]

export function DevicesPanel() {
  const { person } = useSession()
  const devices = useQuery({
    queryKey: ['person', person.id, '/sessions'],
    queryFn: () => get<readonly SignedInDevice[]>('/api/sessions'),
  })
  return (
    <Panel
      title="Where you are signed in"
      aside={devices.data && devices.data.length > 1 ? <SignOutOthersButton /> : undefined}
    >
      <Loaded query={devices} what="the sessions" lines={3}>
        {(found) => <DataTable caption="Sessions" columns={columns} rows={found} rowKey={({ id }) => id} />}
      </Loaded>
    </Panel>
  )
}

function Device({ device: { user_agent, is_current } }: { readonly device: SignedInDevice }) {
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} title={user_agent ?? ''}>
        {deviceName(user_agent)}
      </Text>
      {is_current && <Badge color="green">This device</Badge>}
    </Group>
  )
}

/** The server writes it down once a minute. */
function LastSeen({ device: { updated_at, is_current } }: { readonly device: SignedInDevice }) {
  return is_current ? 'Now' : <When at={updated_at} />
}

function SignOutOthersButton() {
  const task = useTask(async () => {
    try {
      await send('POST', '/api/auth/revoke-other-sessions', {})
      notifications.show({ message: 'You are signed out everywhere else.' })
    } catch (error) {
      showFailure('Could not sign out the others', error)
    }
    await refresh('/sessions')
  })
  return (
    <Button size="xs" variant="default" loading={task.isRunning} onClick={task.start}>
      Sign out everywhere else
    </Button>
  )
}

function SignOutButton({ device: { id, user_agent } }: { readonly device: SignedInDevice }) {
  const task = useTask(() => signOut(id))
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Sign out ${deviceName(user_agent)}`}
      loading={task.isRunning}
      onClick={task.start}
    >
      Sign out
    </Button>
  )
}

async function signOut(id: string): Promise<void> {
  try {
    await send('DELETE', `/api/sessions/${id}`)
  } catch (error) {
    notifications.show({
      color: 'red',
      title: 'Could not sign it out',
      message: error instanceof Error ? error.message : String(error),
    })
  }
  await refresh('/sessions')
}
