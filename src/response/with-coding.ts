import type { Coding } from '../coding/choose-coding.ts'
import type { Answer } from './answer.ts'

/** Shorter answers are sent as they are: they would gain nothing. */
export const codedFrom = 16 * 1024

/** The same answer, compressed on its way where it is long and its client wants that. Never for one that holds a secret. */
export function withCoding(answer: Answer, client: { coding(): Coding | null }): Answer {
  const { body, headers } = answer
  if (body === null || (typeof body === 'string' && body.length <= codedFrom)) return answer
  // An ETag names the coding, so it was chosen before; and events are sent one by one, however small each is.
  if (headers.ETag || headers['Content-Type']?.startsWith('text/event-stream')) return answer
  const coding = client.coding()
  const varied = { ...answer, headers: { Vary: 'Accept-Encoding', ...headers } }
  return coding === null ? varied : { ...varied, coding }
}
