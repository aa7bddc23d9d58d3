import { SQLiteError } from 'bun:sqlite'

/** How long another process may keep the file locked before a write is refused. */
export const lockedMaxMs = 5000

export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true

/** At the start there is nobody to be kept waiting: instances that start together on a new file take turns. */
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
