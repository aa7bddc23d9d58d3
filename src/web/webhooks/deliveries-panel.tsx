import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../api.ts'
import type { Webhook, WebhookDelivery, WebhookDeliveryPage } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Outline } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { useEventsKept } from '../queries.ts'
import { apiPath, useHere } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { DeliveryBadge } from './marks.tsx'

const states = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'delivered', label: 'Delivered' },
]

const columns: readonly TableColumn<WebhookDelivery>[] = [
  { id: 'event', header: 'Event', cell: (one) => <Event delivery={one} /> },
  { id: 'when', header: 'When', cell: ({ created_at }) => <When at={created_at} /> },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => attempts },
  { id: 'state', header: 'State', cell: (one) => <State delivery={one} /> },
]

export function DeliveriesPanel({ webhook: { id } }: { readonly webhook: Webhook }) {
  const [state, setState] = useState('')
  const [shown, setShown] = useState<string | null>(null)
  const deliveries = useDeliveries(id, state)
  const kept = useEventsKept()
  const found = deliveries.data?.pages.flatMap((page) => page.deliveries)
  return (
    <Panel
      title="Deliveries"
      lead={`Events that were sent here, or will be, newest first. They are kept for ${kept}.`}
      aside={
        <NativeSelect
          aria-label="Which deliveries"
          data={states}
          value={state}
          onChange={(event) => setState(event.currentTarget.value)}
        />
      }
    >
      {deliveries.error && !found && <FailureNotice error={deliveries.error} title="Could not load the deliveries" />}
      {!deliveries.error && !found && <Outline lines={4} />}
      {found?.length === 0 && <Text c="dimmed">None.</Text>}
      {found && found.length > 0 && (
        <DataTable
          caption="Deliveries, newest first"
          columns={columns}
          rows={found}
          rowKey={({ event_id }) => event_id}
          nameOf={({ type }) => type}
          open={({ event_id }) => setShown(event_id)}
        />
      )}
      {deliveries.hasNextPage && (
        <Group justify="center" mt="sm">
          <Button
            variant="default"
            loading={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
      {shown && <DeliveryDialog webhookId={id} eventId={shown} close={() => setShown(null)} />}
    </Panel>
  )
}

function useDeliveries(id: string, state: string) {
  const { company } = useHere()
  const path = `/webhooks/${id}/deliveries?limit=20${state === '' ? '' : `&state=${state}`}`
  return useInfiniteQuery({
    queryKey: ['company', company.id, path],
    queryFn: ({ pageParam }) =>
      get<WebhookDeliveryPage>(apiPath(company.id, pageParam === null ? path : `${path}&before=${pageParam}`)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 4_000,
  })
}

function Event({ delivery: { type, row_id } }: { readonly delivery: WebhookDelivery }) {
  return (
    <>
      {type}
      {row_id && (
        <Text size="xs" c="dimmed" className="clipped" title={row_id}>
          {row_id}
        </Text>
      )}
    </>
  )
}

function State({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { state, next_attempt_at, attempts } = delivery
  return (
    <>
      <DeliveryBadge delivery={delivery} />
      {state === 'pending' && (
        <Text size="xs" c="dimmed" mt={4}>
          {next_attempt_at === null
            ? 'waits for an earlier event of its row'
            : attempts > 0 && <Next at={next_attempt_at} />}
        </Text>
      )}
    </>
  )
}

const Next = ({ at }: { readonly at: string }) => (
  <>
    next attempt <When at={at} as="planned" />
  </>
)
