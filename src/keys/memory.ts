import type { Database } from '../store/database.ts'

/** How long a credential that was just read may be trusted not to have been changed by another process. */
const rememberedMs = 1000
const rememberedMax = 10_000

type Read<Found> = (db: Database, key: string) => Promise<Found | null>

/** Finds something by its key. What is remembered will do only where it `suffices`; otherwise it is read anew. */
export type Find<Found> = (
  key: string,
  now: number,
  suffices: (found: Found) => boolean,
) => Found | Promise<Found | null>

type Forget = (key: string) => void

/** Those who change a credential know its database, but not who has read it from there. */
const memories = new WeakMap<Database, Set<Forget>>()

/** Makes the change of a credential take effect in this process at once. */
export function forget(db: Database, key: string): void {
  for (const forgetIn of memories.get(db) ?? []) forgetIn(key)
}

/** Looking up who asks would cost every request a statement more. */
export function remembering<Found>(db: Database, read: Read<Found>): Find<Found> {
  const remembered = new Map<string, { readonly found: Found; readonly until: number }>()
  let forgotten = 0
  const forgetHere = (key: string): void => {
    forgotten += 1
    remembered.delete(key)
  }
  memories.set(db, (memories.get(db) ?? new Set<Forget>()).add(forgetHere))

  const readAnew = async (key: string, askedAt: number): Promise<Found | null> => {
    const forgottenBefore = forgotten
    const found = await read(db, key)
    remembered.delete(key)
    // What was read while something was forgotten may be older than the change.
    if (!found || forgotten !== forgottenBefore) return found
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { found, until: askedAt + rememberedMs })
    return found
  }

  return (key, now, suffices) => {
    const known = remembered.get(key)
    return known && known.until > now && suffices(known.found) ? known.found : readAnew(key, now)
  }
}
