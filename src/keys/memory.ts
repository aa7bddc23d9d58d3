import type { Database, Store } from '../store/database.ts'

/** How long a credential that was just read may be trusted not to have been changed by another process. */
const rememberedMs = 1000
const rememberedMax = 10_000

type Read<Found> = (db: Database, key: string) => Promise<Found | null>

/** Finds something by its key. */
export interface Memory<Found> {
  /** As it was lately, if that is remembered. */
  recall(key: string, now: number): Found | null
  read(key: string, now: number): Promise<Found | null>
}

type Forget = (key: string) => void

/** Those who change a credential know its database, but not who has read it from there. */
const memories = new WeakMap<Store, Set<Forget>>()

/** Makes the change of a credential take effect in this process at once. */
export function forget(db: Store, key: string): void {
  for (const forgetIn of memories.get(db) ?? []) forgetIn(key)
}

/** Makes changes by a view of a database, such as one company's, known to those who have read from the database. */
export function shareMemories(db: Database, view: Store): void {
  const readers = memories.get(db)
  if (readers) memories.set(view, readers)
}

/** Looking up who asks would cost every request a statement more. */
export function createMemory<Found>(db: Database, readFrom: Read<Found>): Memory<Found> {
  const remembered = new Map<string, { readonly found: Found; readonly until: number }>()
  let forgotten = 0
  const forgetHere = (key: string): void => {
    forgotten += 1
    remembered.delete(key)
  }
  memories.set(db, (memories.get(db) ?? new Set<Forget>()).add(forgetHere))

  const recall = (key: string, now: number): Found | null => {
    const known = remembered.get(key)
    return known && known.until > now ? known.found : null
  }

  const read = async (key: string, now: number): Promise<Found | null> => {
    const forgottenBefore = forgotten
    const found = await readFrom(db, key)
    remembered.delete(key)
    // What was read while something was forgotten may be older than the change.
    if (!found || forgotten !== forgottenBefore) return found
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { found, until: now + rememberedMs })
    return found
  }

  return { recall, read }
}
