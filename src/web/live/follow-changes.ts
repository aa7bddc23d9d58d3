import { ApiFailure, get } from '../api.ts'
import type { ChangeKind } from '../api-types.ts'

/** All of them: the compiler asks for one that is missing. */
const kinds: Readonly<Record<ChangeKind, true>> = { created: true, updated: true, deleted: true }

/** After the stream has ended or could not be opened, and twice as long each time. */
const firstWaitMs = 1_000
const longestWaitMs = 30_000

/** Where the API of a company is: `/api/c/0189…`, and the resource whose changes count. */
interface Followed {
  readonly base: string
  readonly resource: string
}

interface Listener {
  /** Somebody has changed rows. */
  changed(): void
  /** It listens from now on: somebody may have changed rows while nobody did. */
  opened(): void
  /** It listens, or cannot. */
  settled(): void
}

/**
 * Tells of changes until what it returns is called. Only a page that can be seen listens: a browser has few connections
 * to one server.
 */
export function followChanges({ base, resource }: Followed, { changed, opened, settled }: Listener): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let attempt = 0

  const stop = () => {
    attempt += 1
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const tryLater = () => {
    stop()
    timer = setTimeout(start, waitMs)
    waitMs = Math.min(2 * waitMs, longestWaitMs)
  }
  const listen = () => {
    source = new EventSource(`${base}/rest/${resource}?select=id`)
    source.onopen = () => {
      waitMs = firstWaitMs
      settled()
      opened()
    }
    source.onerror = tryLater
    for (const kind in kinds) source.addEventListener(`${resource}.${kind}`, changed)
  }
  const start = async () => {
    stop()
    const own = attempt
    // The browser writes an error to its console for a stream that is refused, so the page asks first.
    const next = await get<{ readonly on: boolean }>(`${base}/company/events`).then(
      ({ on }) => (on ? listen : null),
      (error: unknown) => (isRefused(error) ? null : tryLater),
    )
    if (next !== listen) settled()
    if (own === attempt) next?.()
  }
  const look = () => (document.hidden ? stop() : void start())

  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    stop()
  }
}

/** Whoever is no member any more is told so by the page. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 403 || error.status === 404)
