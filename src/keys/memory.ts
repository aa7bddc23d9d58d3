import { BoundedMap } from '../caches/bounded-map.ts'
import type { Companies, Database } from '../store/database.ts'

/** How long a credential is trusted after it was read: another process may change it meanwhile. */
export const rememberedMs = 1000
const rememberedMax = 10_000
const unknownMax = 1000

type Read<Found> = (db: Database, key: string) => Promise<Found | null>

/** Finds something by its key. Times are those of `performance.now()`, because that clock is never set back. */
export interface Memory<Found> {
  /** The cached value, if it was read since then. */
  recall(key: string, since: number): Found | null
  /** Whether a look-up since then found nothing. */
  isUnknown(key: string, since: number): boolean
  read(key: string): Promise<Found | null>
}

interface Forget {
  (key: string): void
  /** All that is known of a company's credentials. */
  company(companyId: string): void
}

/** The caches of each database: whoever changes a credential does not know who has read it. */
const memories = new WeakMap<Companies, Set<Forget>>()

/** Makes a change of a credential take effect in this process at once. */
export function forget(db: Companies, key: string): void {
  for (const forgetIn of memories.get(db) ?? []) forgetIn(key)
}

/** The same for something that all credentials of a company know of it. */
export function forgetCompany(db: Companies, companyId: string): void {
  for (const forgetIn of memories.get(db) ?? []) forgetIn.company(companyId)
}

/** Changes made through a view of a database, such as one that confirms a right, clear the caches of that database. */
export function shareMemories(db: Database, view: Companies): void {
  const readers = memories.get(db)
  if (readers) memories.set(view, readers)
}

/** Caches credentials, because a look-up would cost every request one more statement. */
export function createMemory<Found extends { readonly companyId: string }>(
  db: Database,
  readFrom: Read<Found>,
): Memory<Found> {
  const remembered = new BoundedMap<{ readonly found: Found; readonly readAt: number }>(rememberedMax)
  // A cache of its own, so that invented keys do not evict valid ones.
  const unknown = new BoundedMap<number>(unknownMax)
  let forgotten = 0
  const forgetHere = (key: string): void => {
    forgotten += 1
    remembered.delete(key)
  }
  const company = (companyId: string): void => {
    forgotten += 1
    for (const [key, { found }] of remembered) if (found.companyId === companyId) remembered.delete(key)
  }
  memories.set(db, (memories.get(db) ?? new Set<Forget>()).add(Object.assign(forgetHere, { company })))

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
    // A value read while the cache was cleared may be older than the change.
    else if (forgotten === forgottenBefore) remembered.set(key, { found, readAt })
    return found
  }

  return { recall, isUnknown, read }
}
