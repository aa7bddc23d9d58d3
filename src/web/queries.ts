import { QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiFailure, get, isFailure } from './api.ts'
import type { Session, Setup } from './api-types.ts'

/** What was read from the server, kept while it is on the screen. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 503),
      staleTime: 5_000,
      gcTime: 60_000,
    },
  },
})

// Whoever finds the session gone, in whatever request, leads back to the sign-in page.
queries.getQueryCache().subscribe(({ query, type }) => {
  if (type === 'updated' && query.queryKey[0] !== sessionKey && isFailure(query.state.error, 'not_signed_in'))
    endSession()
})

const sessionKey = 'session'

/** Null when nobody is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null, Error> {
  return useQuery({ queryKey: [sessionKey], queryFn: readSession, staleTime: 30_000 })
}

async function readSession(): Promise<Session | null> {
  try {
    return await get<Session>('/api/session')
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return null
    throw error
  }
}

export function useSetup(): UseQueryResult<Setup, Error> {
  return useQuery({ queryKey: ['setup'], queryFn: () => get<Setup>('/api/setup'), staleTime: Number.POSITIVE_INFINITY })
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('project-api-session')
channel?.addEventListener('message', () => {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'company' })
  void queries.invalidateQueries({ queryKey: [sessionKey] })
})

/** Takes over a session that changed by sign-in, sign-out or another company, in this window and in all others. */
export function changeSession(session: Session | null): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === 'company' })
  queries.setQueryData([sessionKey], session)
  channel?.postMessage('changed')
}

function endSession(): void {
  queries.setQueryData([sessionKey], null)
}

/** Asks again who is signed in, where an answer did not say. */
export async function renewSession(): Promise<Session | null> {
  const session = await readSession()
  void queries.invalidateQueries({ queryKey: ['setup'] })
  changeSession(session)
  return session
}

/** Reads again everything whose path begins so. */
export const refresh = (...paths: readonly string[]): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => String(queryKey[2] ?? '').startsWith(path)),
  })
