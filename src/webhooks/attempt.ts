import type { Right } from '../store/database.ts'
import type { Send } from './send/send.ts'
import { signedHeaders } from './sign.ts'

/** One POST of an event to an endpoint, and what came of it. */
export interface Attempt {
  readonly id: string
  readonly eventId: string
  readonly at: Date
  readonly durationMs: number
  /** null: there was no answer. */
  readonly status: number | null
  /** Why there was none. */
  readonly error: string | null
  readonly answer: string
  readonly retryAfter: string | null
}

interface Sending {
  readonly companyId: string
  readonly url: string
  readonly secrets: readonly string[]
  readonly eventId: string
  readonly body: string
  /** Of whoever asks for it, where somebody does. */
  readonly right?: Right | undefined
}

export async function attempt(send: Send, { secrets, eventId, ...post }: Sending): Promise<Attempt> {
  const at = new Date()
  const headers = signedHeaders({ id: eventId, body: post.body, at }, secrets)
  return { id: Bun.randomUUIDv7(), eventId, at, ...(await send({ ...post, headers })) }
}

export const isReceived = ({ status }: Pick<Attempt, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** For metrics. */
const outcomes = ['delivered', 'refused', 'unreachable'] as const
export type Outcome = (typeof outcomes)[number]

export const outcomeOf = (one: Attempt): Outcome =>
  isReceived(one) ? 'delivered' : one.status === null ? 'unreachable' : 'refused'
