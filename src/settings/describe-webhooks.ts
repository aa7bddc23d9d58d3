import { timestampText } from '../types/timestamp-text.ts'
import type { Attempt } from '../webhooks/attempt.ts'
import type { Delivery, Figures, KeptAttempt } from '../webhooks/deliveries.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
import type * as documents from './documents/webhooks.ts'

/** An endpoint as the page shows it: never with its secret. */
export function webhookDocument(endpoint: Endpoint, figures: Figures, now: Date): documents.Webhook {
  const { id, url, types, filter, failingSince, disabledAt, disabledReason, oldSecretEndsAt } = endpoint
  const isOldLive = oldSecretEndsAt !== null && Date.parse(oldSecretEndsAt) > now.getTime()
  return {
    ...{ id, url, types, filter },
    state: disabledAt !== null ? 'disabled' : failingSince !== null ? 'failing' : 'active',
    failing_since: failingSince,
    disabled_at: disabledAt,
    disabled_reason: disabledReason,
    old_secret_ends_at: isOldLive ? oldSecretEndsAt : null,
    created_at: endpoint.createdAt,
    created_by: endpoint.createdBy,
    attempts: figures.attempts,
    received: figures.received,
    average_ms: figures.averageMs,
    slowest_ms: figures.slowestMs,
    last_attempt_at: figures.lastAt,
    pending: figures.pending,
    next_attempt_at: disabledAt === null ? figures.nextAt : null,
  }
}

export const deliveryDocument = (delivery: Delivery): documents.WebhookDelivery => ({
  event_id: delivery.eventId,
  type: delivery.type,
  sequence: delivery.sequence,
  row_id: delivery.rowId,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAt,
  created_at: delivery.createdAt,
})

export const attemptDocument = (one: Attempt | KeptAttempt): documents.WebhookAttempt => ({
  id: one.id,
  created_at: 'at' in one ? timestampText(one.at) : one.createdAt,
  duration_ms: one.durationMs,
  status: one.status,
  error: one.error,
  answer: one.answer,
})
