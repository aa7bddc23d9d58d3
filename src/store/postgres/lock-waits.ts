import { ApiError } from '../../errors/index.ts'
import type { Right } from '../database.ts'
import type { Sql } from '../sql.ts'

/** Writes that may have to wait for the locks of others. */
export interface LockWaits {
  /** The write is cancelled, and fails as `right` does, if that ends while it waits. */
  endWith<Result>(right: Right, statement: Sql, written: Promise<Result>): Promise<Result>
  stop(): void
}

/** A write that has waited for longer may have lost its right. */
const rightMsMax = 250

interface Write {
  readonly right: Right
  readonly statement: Sql
  readonly since: number
  isAsked: boolean
  refusal: ApiError | null
}

/** `cancel` ends the statements of this text that wait for a lock, also those of others: nothing of them is done, and they can be repeated. */
export function createLockWaits(cancel: (statement: Sql) => Promise<unknown>): LockWaits {
  const writes = new Set<Write>()

  async function endIfRefused(write: Write): Promise<void> {
    write.isAsked = true
    try {
      await write.right()
    } catch (error) {
      // A right that cannot be looked up has not ended.
      if (!(error instanceof ApiError && error.status < 500)) return
      write.refusal = error
      await cancel(write.statement).catch(() => {})
    } finally {
      write.isAsked = false
    }
  }

  const timer = setInterval(() => {
    const lateSince = performance.now() - rightMsMax
    for (const write of writes) if (write.since <= lateSince && !write.isAsked) void endIfRefused(write)
  }, rightMsMax)
  timer.unref()

  return {
    endWith: async (right, statement, written) => {
      const write: Write = { right, statement, since: performance.now(), isAsked: false, refusal: null }
      writes.add(write)
      try {
        return await written
      } catch (error) {
        throw write.refusal ?? error
      } finally {
        writes.delete(write)
      }
    },
    stop: () => clearInterval(timer),
  }
}
