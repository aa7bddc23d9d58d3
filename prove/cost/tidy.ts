import { type AttackRequest, isWrite } from './attack-request.ts'
import { type Filled, restoreCompany } from './fill.ts'
import { type Large, restoreLarge, restoreLargeRows } from './fill-large.ts'

/** To look at all rows takes too long to be done after every request. */
const everyMs = 60_000

interface Tidy {
  /** Ends the service, does this, and starts another. */
  whileStopped(work: () => Promise<void>): Promise<void>
}

/** Takes back what requests have written, so that all meet the same rows. */
export function createTidy(filled: Filled, large: Large, { whileStopped }: Tidy) {
  let since: number | null = null
  return async (request: AttackRequest, statuses: readonly number[]): Promise<void> => {
    const { next, ...first } = request
    const writing = [first, ...(next ? [next] : [])].filter(isWrite)
    if (writing.length === 0 || !statuses.some(isDone)) return
    // A service remembers fields and webhooks, and goes on to rewrite rows for them.
    if (writing.some(isSetting)) return whileStopped(() => restoreLarge(large))
    if (writing.some(({ company }) => company === 'large')) return insistently(() => restoreLargeRows(large))
    since ??= performance.now()
    if (!writing.some(isLarge) && performance.now() < since + everyMs) return
    since = null
    await insistently(() => restoreCompany(filled))
  }
}

const triesMax = 5

/** What was cut off may still be written, and one of two that wait for each other is ended. */
async function insistently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === triesMax) throw error
    }
  }
}

/** 0: cut off, and perhaps done. */
const isDone = (status: number): boolean => status === 0 || (status >= 200 && status < 300)

const isSetting = ({ path }: AttackRequest): boolean =>
  /^\/api\/(fields|webhooks|credentials)\b/.test(path) && !path.endsWith('/test')

const manyRows = 1000

function isLarge({ method, query = [], body }: AttackRequest): boolean {
  const isNarrow = query.some(({ text }) => text.startsWith('id=eq.'))
  return method === 'POST' ? (body?.rows.times ?? 1) > manyRows : !isNarrow
}
