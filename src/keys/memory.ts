import { BoundedMap } from '../caches/bounded-map.ts'
import type { Companies, Database } from '../store/database.ts'

/** How long a credential that was just read may be trusted not to have been changed by another process. */
export const rememberedMs = 1000
const rememberedMax = 10_000
const unknownMax = 1000

type Read<Found> = (db: Database, key: string) => Promise<Found | null>

/** Finds something by its key. Times are those of `performance.now()`: nobody sets that clock back. */
export interface Memory<Found> {
  /** As it was at some time since then, if that is remembered. */
  recall(key: string, since: number): Found | null
  /** Whether nothing was found at some time since then. */
  isUnknown(key: string, since: number): boolean
  read(key: string): Promise<Found | null>
}

type Forget = (key: string) => void

/** Those who change a credential know its database, but not who has read it from there. */
const memories = new WeakMap<Companies, Set<Forget>>()

/** Makes the change of a credential take effect in this process at once. */
export function forget(db: Companies, key: string): void {
  for (const forgetIn of memories.get(db) ?? []) forgetIn(key)
}

/** Makes changes by a view of a database, such as one that confirms a right, known to those who have read from the database. */
export function shareMemories(db: Database, view: Companies): void {
  const readers = memories.get(db)
  if (readers) memories.set(view, readers)
}

/** Looking up who asks would cost every request a statement more. */
export function createMemory<Found>(db: Database, readFrom: Read<Found>): Memory<Found> {
  const remembered = new BoundedMap<{ readonly found: Found; readonly readAt: number }>(rememberedMax)
  // Apart from the others, so that keys that somebody makes up push out no good one.
  const unknown = new BoundedMap<number>(unknownMax)
  let forgotten = 0
  const forgetHere = (key: string): void => {
    forgotten += 1
    remembered.delete(key)
  }
  memories.set(db, (memories.get(db) ?? new Set<Forget>()).add(forgetHere))

  const recall = (key: string, since: number): Found | null => {
    const known = remembered.get(key)
    return known && known.readAt > since ? known.found : null
  }

  const isUnknown = (key: string, since: number): boolean => (unknown.get(key) ?? since) > since

  const read = async (key: string): Promise<Found | null> => {
    const readAt = performance.now()
    const forgottenBefore = forgotten
    const found = await readFrom(db, key)
    remembered.delete(key)
    unknown.delete(key)
    if (!found) unknown.set(key, readAt)
    // What was read while something was forgotten may be older than the change.
    else if (forgotten === forgottenBefore) remembered.set(key, { found, readAt })
    return found
  }

  return { recall, isUnknown, read }
}
