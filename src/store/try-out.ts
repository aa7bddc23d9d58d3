import type { Rows } from './database.ts'

/** Looks at what a write has done before it is committed. Throws to undo it. */
export type Check = (results: readonly Rows[]) => void

class Undone extends Error {}

/** Runs a write, undoes it, and returns what it did. `refuse` may still throw because of it. */
export async function tryOut(
  write: (check: Check) => Promise<unknown>,
  refuse: Check | undefined,
): Promise<readonly Rows[]> {
  let done: readonly Rows[] = []
  const undo: Check = (results) => {
    refuse?.(results)
    done = results
    throw new Undone()
  }
  try {
    await write(undo)
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return done
}
