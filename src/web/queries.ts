import { QueryCache, QueryClient, replaceEqualDeep, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiFailure, get, isFailure, onSessionGone, whenRefused } from './api.ts'
import type { Session, Setup } from './api-types.ts'
import { endSession, resumeSession, untilResumed } from './session-end.ts'

/** What was read from the server, kept while it is on the screen. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // An owner may have required two factors just now: the session knows, and leads to their set-up.
    onError: (error) => {
      if (isFailure(error, 'two_factor_required')) void queries.invalidateQueries({ queryKey: sessionKey })
    },
  }),
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 503),
      staleTime: 5_000,
      gcTime: 60_000,
    },
  },
})

const sessionKey = ['session'] as const
const sessionPath = '/api/session'

const knownSession = (): Session | null => queries.getQueryData<Session | null>(sessionKey) ?? null

// Whoever was at work signs in over the page, and what they had sent is sent again.
onSessionGone(async (path) => {
  if (path === sessionPath || !knownSession()) return false
  await untilResumed()
  return true
})

// The person may have been removed from the company, or have got another role.
whenRefused((path) => {
  if (path.startsWith('/api/c/')) void queries.invalidateQueries({ queryKey: sessionKey })
})

/** Null when nobody is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null, Error> {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 30_000 })
}

/** A session that has ended stays on the page until somebody signs in again. */
async function readSession(): Promise<Session | null> {
  const session = await fetchSession()
  const before = knownSession()
  if (session === null && before !== null) endSession()
  return session === null ? before : taken(session, before)
}

/** What another person has typed or read must not stay on the page. */
function taken(session: Session, before: Session | null): Session {
  if (before !== null && before.person.id !== session.person.id) location.reload()
  else resumeSession()
  return session
}

async function fetchSession(): Promise<Session | null> {
  try {
    return await get<Session>(sessionPath)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
}

export function useSetup(): UseQueryResult<Setup, Error> {
  return useQuery({ queryKey: ['setup'], queryFn: () => get<Setup>('/api/setup'), staleTime: Number.POSITIVE_INFINITY })
}

/** How long events and their deliveries are kept, in words. */
export const useEventsKept = (): string => useSetup().data?.events_kept ?? '…'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('project-api-session')
channel?.addEventListener('message', ({ data }) => {
  if (data === 'signed out') forgetSession()
  else void queries.invalidateQueries({ queryKey: sessionKey })
})

/** Takes over a session that changed by signing in or by another company, in this window and in all others. */
export function changeSession(session: Session): void {
  queries.setQueryData(sessionKey, taken(session, knownSession()))
  channel?.postMessage('changed')
}

/** After signing out, nothing of the session stays in any window. */
export function leaveSession(): void {
  forgetSession()
  channel?.postMessage('signed out')
}

function forgetSession(): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'company' })
  queries.setQueryData(sessionKey, null)
  resumeSession()
}

/** Asks again who is signed in, where an answer did not say. */
export async function renewSession(): Promise<void> {
  const session = await fetchSession()
  void queries.invalidateQueries({ queryKey: ['setup'] })
  if (session) changeSession(session)
  else leaveSession()
}

/** Reads again everything whose path begins so. */
export const refresh = (...paths: readonly string[]): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => isBelow(path, queryKey)),
  })

/** Whether the server still answers what is on the screen, of everything whose path begins so. The screen stays as it is. */
export async function isCurrent(path: string): Promise<boolean> {
  const shown = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ queryKey }) => isBelow(path, queryKey) })
  const same = shown.map(async (query) => {
    const { queryFn } = query.options
    const queryKey = [...query.queryKey, 'now']
    const now = await queries.fetchQuery({ queryKey, ...(queryFn && { queryFn }), staleTime: 0, gcTime: 0 })
    return replaceEqualDeep(query.state.data, now) === query.state.data
  })
  return (await Promise.all(same)).every(Boolean)
}

const isBelow = (path: string, queryKey: readonly unknown[]): boolean => String(queryKey[2] ?? '').startsWith(path)
