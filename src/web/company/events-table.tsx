import { Text } from '@mantine/core'
import type { AuditEvent } from '../api-types.ts'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { When } from '../parts/when.tsx'
import { actions, detailsText } from './actions.ts'

const columns: readonly DataColumn<AuditEvent>[] = [
  { header: 'What', cell: (event) => <Sentence event={event} /> },
  { header: 'When', cell: ({ created_at }) => <When at={created_at} /> },
  { header: 'From', cell: (event) => <Origin event={event} /> },
]

export function EventsTable({ events }: { readonly events: readonly AuditEvent[] }) {
  return <DataTable caption="Activity, newest first" columns={columns} rows={events} rowKey={({ id }) => id} />
}

function Sentence({ event: { actor, action, target, details } }: { readonly event: AuditEvent }) {
  const more = detailsText(details)
  return (
    <>
      <Text size="sm" className="wrap">
        <bdi className="strong">{actor}</bdi> {actions[action] ?? action}{' '}
        {target !== actor && <bdi className="strong">{target}</bdi>}
      </Text>
      {more !== '' && (
        <Text size="xs" c="dimmed" className="wrap">
          {more}
        </Text>
      )}
    </>
  )
}

function Origin({ event: { address, user_agent, request_id } }: { readonly event: AuditEvent }) {
  return (
    <>
      <Text size="sm">{address ?? '–'}</Text>
      {user_agent && (
        <Text size="xs" c="dimmed" className="clipped" title={user_agent}>
          {user_agent}
        </Text>
      )}
      {request_id && (
        <Text size="xs" c="dimmed" className="clipped" title={`Request ${request_id}`}>
          Request {request_id}
        </Text>
      )}
    </>
  )
}
