import { useSyncExternalStore } from 'react'

/** Set while a session that ended has not been followed by another one. */
let end: PromiseWithResolvers<void> | null = null
const listeners = new Set<() => void>()

/** Whether the person has to sign in again to go on. */
export const useHasEnded = (): boolean => useSyncExternalStore(subscribe, () => end !== null)

export function endSession(): void {
  if (end) return
  end = Promise.withResolvers()
  notify()
}

/** Ends the session for the page, and waits for the next one. */
export function untilResumed(): Promise<void> {
  endSession()
  return end?.promise ?? Promise.resolve()
}

export function resumeSession(): void {
  const ended = end
  end = null
  ended?.resolve()
  if (ended) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
