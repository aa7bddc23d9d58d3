import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What this browser keeps under a key; null for nothing. */
export const useStored = (key: string): string | null => useSyncExternalStore(subscribe, () => read(key))

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Some browsers keep nothing for a page.
    return null
  }
}

/** Null forgets it. */
export function store(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    return
  }
  for (const listener of listeners) listener()
}
