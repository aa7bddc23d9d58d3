import { Badge, Code, Text } from '@mantine/core'
import type { Webhook, WebhookDelivery } from '../api-types.ts'

const states = {
  active: { color: 'green', text: 'Active' },
  failing: { color: 'orange', text: 'Failing' },
  disabled: { color: 'gray', text: 'Disabled' },
} as const

export function StateBadge({ webhook: { state } }: { readonly webhook: Webhook }) {
  return <Badge color={states[state].color}>{states[state].text}</Badge>
}

const deliveryStates = {
  delivered: { color: 'green', text: 'Delivered' },
  pending: { color: 'orange', text: 'Pending' },
  failed: { color: 'red', text: 'Failed' },
} as const

export function DeliveryBadge({ delivery: { state } }: { readonly delivery: WebhookDelivery }) {
  return <Badge color={deliveryStates[state].color}>{deliveryStates[state].text}</Badge>
}

const reasons = {
  by_hand: 'Somebody has disabled it.',
  gone: 'It answered 410 Gone.',
  failing: 'All attempts failed for 5 days.',
  slow_filter: 'Its condition takes too long to compare with each row.',
} as const

/** Why nothing is sent to it. */
export const disabledText = ({ disabled_reason }: Webhook): string =>
  disabled_reason === null ? '' : reasons[disabled_reason]

/** Which events it is sent. */
export function Chosen({ webhook: { types, filter } }: { readonly webhook: Webhook }) {
  return (
    <>
      <Text size="sm" className="wrap">
        {types === null ? 'All events' : types.join(', ')}
      </Text>
      {filter !== '' && <Code className="wrap">{filter}</Code>}
    </>
  )
}
