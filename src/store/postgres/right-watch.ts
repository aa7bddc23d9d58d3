import { ApiError } from '../../errors/index.ts'
import type { Right } from '../database.ts'
import type { Sql } from '../sql.ts'

/** Looks whether the rights of writes last as long as they do: a write may wait for the locks of others for long. */
export interface RightWatch {
  /**
   * Fails as the right does if that ends before `write` has. `require` throws then, for a last look before a commit. A
   * `statement` that is a commit by itself is cancelled while it waits.
   */
  during<Result>(
    right: Right | undefined,
    statement: Sql | null,
    write: (require: () => void) => Promise<Result>,
  ): Promise<Result>
  stop(): void
}

/** A write that has taken longer may have lost its right. It is asked for again after as long. */
const lookMs = 250
/** What a right goes by was read no longer ago: with both looks, less than a second. */
const readMsMax = 500

interface Write {
  readonly right: Right
  readonly statement: Sql | null
  readonly since: number
  isAsked: boolean
  refusal: ApiError | null
}

/** `cancel` ends the statements of this text that wait for a lock, also those of others: nothing of them is done, and they can be repeated. */
export function createRightWatch(cancel: (statement: Sql) => Promise<unknown>): RightWatch {
  const writes = new Set<Write>()

  // Beside the write, which never waits for it: the write may hold the last connection that a look-up could have.
  async function look(write: Write): Promise<void> {
    write.isAsked = true
    write.refusal ??= await refusalOf(write.right)
    if (write.refusal && write.statement) await cancel(write.statement).catch(() => {})
    write.isAsked = false
  }

  const timer = setInterval(() => {
    const lateSince = performance.now() - lookMs
    for (const write of writes) if (write.since <= lateSince && !write.isAsked) void look(write)
  }, lookMs)
  timer.unref()

  return {
    during: async (right, statement, work) => {
      if (!right) return work(() => {})
      const write: Write = { right, statement, since: performance.now(), isAsked: false, refusal: null }
      const require = (): void => {
        if (write.refusal) throw write.refusal
      }
      writes.add(write)
      try {
        return await work(require)
      } catch (error) {
        throw write.refusal ?? error
      } finally {
        writes.delete(write)
      }
    },
    stop: () => clearInterval(timer),
  }
}

/** null where it lasts, or cannot be looked up. */
async function refusalOf(right: Right): Promise<ApiError | null> {
  try {
    await right(readMsMax)
    return null
  } catch (error) {
    return error instanceof ApiError && error.status < 500 ? error : null
  }
}
