import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { get } from '../api.ts'
import type { SignIn } from '../api-types.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { useSession } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { deviceName } from './device-name.ts'

const columns: readonly TableColumn<SignIn>[] = [
  { id: 'created_at', header: 'Time', cell: ({ created_at }) => <When at={created_at} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, method }) =>
      outcome === 'ok' ? <Badge color="green">Signed in</Badge> : <Badge color="red">Wrong {method}</Badge>,
  },
  { id: 'method', header: 'By', cell: ({ method }) => method },
  {
    id: 'device',
    header: 'Device',
    cell: ({ user_agent }) => <span title={user_agent ?? ''}>{deviceName(user_agent)}</span>,
  },
  { id: 'address', header: 'Address', cell: ({ address }) => address ?? 'unknown' },
]

export function SignInsPanel() {
  const { person } = useSession()
  const signIns = useQuery({
    queryKey: ['person', person.id, '/sign-ins'],
    queryFn: () => get<readonly SignIn[]>('/api/sign-ins'),
  })
  return (
    <Panel
      title="Sign-ins"
      lead="The latest, and attempts that failed. If one was not you, change your password and set up two-factor sign-in."
    >
      <Loaded query={signIns} what="the sign-ins" lines={3}>
        {(found) =>
          found.length === 0 ? (
            <Text>None yet.</Text>
          ) : (
            <DataTable caption="Sign-ins" columns={columns} rows={found} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  )
}
