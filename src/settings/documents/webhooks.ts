/** What the routes under /api/webhooks answer, as JSON. */

type WebhookState = 'active' | 'failing' | 'disabled'

export interface Webhook {
  readonly id: string
  readonly url: string
  /** null: all. */
  readonly types: readonly string[] | null
  readonly filter: string
  readonly state: WebhookState
  readonly failing_since: string | null
  readonly disabled_at: string | null
  readonly disabled_reason: 'by_hand' | 'gone' | 'failing' | 'slow_filter' | null
  /** Until then, messages are signed with the old secret, too. */
  readonly old_secret_ends_at: string | null
  readonly created_at: string
  readonly created_by: string
  /** Of the latest attempts within a day, up to 1000. */
  readonly attempts: number
  readonly received: number
  readonly average_ms: number | null
  readonly slowest_ms: number | null
  readonly last_attempt_at: string | null
  /** Counted up to 1000. */
  readonly pending: number
  readonly next_attempt_at: string | null
}

/** The one answer that carries a secret. It is shown, and then forgotten. */
export interface IssuedWebhook extends Webhook {
  readonly secret: string
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[]
  readonly event_types: readonly string[]
}

export interface WebhookDelivery {
  readonly event_id: string
  readonly type: string
  readonly sequence: number | null
  readonly row_id: string | null
  readonly state: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly created_at: string
}

export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDelivery[]
  readonly next: string | null
}

export interface WebhookAttempt {
  readonly id: string
  readonly created_at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string
}

export interface WebhookDeliveryInDetail extends WebhookDelivery {
  /** null: the event is no longer kept. */
  readonly body: string | null
  /** Latest first. */
  readonly history: readonly WebhookAttempt[]
}
