import type { AttackRequest } from './attack-request.ts'
import { type Filled, restoreCompany } from './fill.ts'

/** To look at all rows takes too long to be done after every request. */
const everyMs = 60_000

/** Takes back what requests have written, so that all meet the same rows. */
export function createTidy(filled: Filled): (request: AttackRequest, statuses: readonly number[]) => Promise<void> {
  let since: number | null = null
  return async (request, statuses) => {
    if (request.method === 'GET' || request.method === 'HEAD' || !statuses.some(isDone)) return
    since ??= performance.now()
    if (!isLarge(request) && performance.now() < since + everyMs) return
    since = null
    await restoreCompany(filled)
  }
}

/** 0: cut off, and perhaps done. */
const isDone = (status: number): boolean => status === 0 || (status >= 200 && status < 300)

const manyRows = 1000

function isLarge({ method, query = [], body }: AttackRequest): boolean {
  const isNarrow = query.some(({ text }) => text.startsWith('id=eq.'))
  return method === 'POST' ? (body?.rows.times ?? 1) > manyRows : !isNarrow
}
