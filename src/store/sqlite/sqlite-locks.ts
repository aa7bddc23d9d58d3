import { SQLiteError } from 'bun:sqlite'

/** How long a write waits for another process that has locked the file. */
export const lockedMaxMs = 10_000

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true

/** Retries `work` while the file is locked by another instance. Blocks the thread, so only for use at the start. */
export function whileLocked<Result>(work: () => Result): Result {
  const endsAt = performance.now() + lockedMaxMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error
      Bun.sleepSync(10)
    }
  }
}
