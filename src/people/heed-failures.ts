import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../errors.ts'
import type { Database } from '../store/database.ts'

/** A database whose failures cannot be passed over by the work that uses it. */
export interface Heeded {
  readonly db: Database
  /** Does the work, and fails where the database did. */
  heed<Result>(work: () => Promise<Result>): Promise<Result>
}

/** better-auth answers some requests as if all were well though the store has failed: a sign-out would have ended nothing. */
export function heedFailures(db: Database): Heeded {
  const works = new AsyncLocalStorage<unknown[]>()
  const note = (error: unknown): never => {
    if (error instanceof ApiError) works.getStore()?.push(error)
    throw error
  }
  return {
    db: {
      ...db,
      read: (statement) => Promise.try(() => db.read(statement)).catch(note),
      transact: (statements, check) => db.transact(statements, check).catch(note),
    },
    heed: async (work) => {
      const failures: unknown[] = []
      const result = await works.run(failures, work)
      if (failures.length > 0) throw failures[0]
      return result
    },
  }
}
