import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The path has the company and the table. */
const keyHere = (): string => `columns ${location.pathname}`

/** The columns that were chosen last on this page, in this browser; null for none. */
export function useRememberedColumns(): readonly string[] | null {
  return useSyncExternalStore(subscribe, storedText)?.split(',') ?? null
}

function storedText(): string | null {
  try {
    return localStorage.getItem(keyHere())
  } catch {
    // Some browsers keep nothing for a page.
    return null
  }
}

export function rememberColumns(ids: readonly string[] | null): void {
  try {
    if (ids === null) localStorage.removeItem(keyHere())
    else localStorage.setItem(keyHere(), ids.join(','))
  } catch {
    return
  }
  for (const listener of listeners) listener()
}
