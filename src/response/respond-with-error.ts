import { ApiError, failure } from '../errors/index.ts'
import { scrub } from '../log/scrub.ts'
import type { Answer } from './answer.ts'

/** Whatever was thrown → what the client is told. Anything that is not a known failure is a bug of ours, and says nothing. */
export function respondWithError(error: unknown): Answer & { readonly error: ApiError } {
  const known = error instanceof ApiError ? error : failure.bug(error)
  const { status, code, message, more } = known
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Proxy-Status': `project-api; error=${code}`,
      ...more.headers,
    },
    // What was sent is often quoted, and it may be a token in the wrong place.
    body: scrub(JSON.stringify({ code, message: cut(message), details: cut(more.details), hint: cut(more.hint) })),
    error: known,
  }
}

/** Longer than anything that we write ourselves. */
const textMax = 2000

/** What was sent may be long: enough of it is shown to know it again. */
function cut(text: string | null | undefined): string | null {
  if (text === undefined || text === null || text.length <= textMax) return text ?? null
  return `${text.slice(0, textMax).toWellFormed()}…`
}
