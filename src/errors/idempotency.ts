import { writes } from '../methods.ts'
import { define, type Failures } from './define.ts'

const retrySoon = { 'Retry-After': '1' }

/** Sending a write again. */
export const idempotency = {
  idempotencyKeyInvalid: define(400, 'invalid_idempotency_key', () => ({
    message: 'The Idempotency-Key cannot be used',
    hint: 'Send 1 to 255 visible characters, such as a UUID.',
  })).on(writes),
  idempotencyKeyReused: define(422, 'idempotency_key_reused', () => ({
    message: 'This Idempotency-Key was used for another request',
    hint: 'Send the same request as before, or a new key.',
  })).on(writes),
  idempotencyInProgress: define(409, 'idempotency_in_progress', () => ({
    message: 'A request with this Idempotency-Key is still running',
    hint: 'Wait a second and send the same request again.',
    headers: retrySoon,
  })).on(writes),
  idempotentAnswerTooLarge: define(400, 'idempotent_answer_too_large', (bytesMax: number) => ({
    message: `The answer is larger than the ${bytesMax} bytes that can be kept`,
    hint: 'Send "Prefer: return=minimal", or write fewer rows in one request with an Idempotency-Key. Nothing was written.',
  })).on(writes, 1_048_576),
  idempotencyFull: define(429, 'idempotency_full', (seconds: number) => ({
    message: 'The company has no room left for answers that are kept for Idempotency-Key',
    hint: 'Send "Prefer: return=minimal", which takes little room, or leave the key out, or wait: answers are kept for 24 hours. Nothing was written.',
    headers: { 'Retry-After': String(seconds) },
  })).on(writes, 60),
} satisfies Failures
