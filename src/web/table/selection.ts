import { useState } from 'react'

/** The rows that are ticked, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>
  toggle(key: string): void
  /** All of them, or none where all are ticked already. */
  toggleAll(keys: readonly string[]): void
  clear(): void
}

/** Rows that are not on the screen any more are not selected either. */
export function useSelection(shown: readonly string[]): Selection {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const keys = new Set(shown.filter((key) => ticked.has(key)))
  return {
    keys,
    toggle: (key) => setTicked(keys.symmetricDifference(new Set([key]))),
    toggleAll: (all) => setTicked(new Set(keys.size === all.length ? [] : all)),
    clear: () => setTicked(new Set()),
  }
}
