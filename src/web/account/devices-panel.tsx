import { Badge, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { send } from '../api.ts'
import type { SignedInDevice } from '../api-types.ts'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useAnswer } from '../session.tsx'
import { deviceName } from './device-name.ts'

const columns: readonly DataColumn<SignedInDevice>[] = [
  { header: 'Device', cell: (device) => <Device device={device} /> },
  { header: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { header: 'Signed in', cell: ({ created_at }) => <When at={created_at} /> },
  { header: 'Last seen', cell: ({ updated_at }) => <When at={updated_at} /> },
  {
    header: 'Actions',
    cell: ({ id, user_agent, is_current }) =>
      is_current ? (
        <Text size="sm">–</Text>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={`Sign out ${deviceName(user_agent)}`}
          onClick={() => void signOut(id)}
        >
          Sign out
        </Button>
      ),
  },
]

export function DevicesPanel() {
  const devices = useAnswer<readonly SignedInDevice[]>('/api/sessions')
  return (
    <Panel title="Where you are signed in">
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
      {is_current && <Badge color="green">This one</Badge>}
    </Group>
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
  await refresh('/api/sessions')
}
