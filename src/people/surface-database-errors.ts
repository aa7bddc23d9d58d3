import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { type Need, withRight } from './right.ts'

/** A database whose failures cannot be passed over by the work that uses it. */
export interface SurfacedDatabase {
  readonly db: Database
  /** Does the work, and fails where the database did. Its first change confirms the right to it, where it needs one. */
  run<Result>(work: () => Promise<Result>, need: Need | null): Promise<Result>
}

interface Work {
  readonly failures: unknown[]
  /** What its first change has to confirm. Later ones may have ended the session themselves. */
  need: Need | null
}

/** better-auth answers some requests as if all were well though the store has failed: a sign-out would have ended nothing. */
export function surfaceDatabaseErrors(db: Database): SurfacedDatabase {
  const works = new AsyncLocalStorage<Work>()
  const note = (error: unknown): never => {
    if (error instanceof ApiError) works.getStore()?.failures.push(error)
    throw error
  }
  const forChange = (): Database => {
    const work = works.getStore()
    const need = work?.need
    if (!work || !need) return db
    work.need = null
    return withRight(db, need)
  }
  return {
    db: {
      ...db,
      read: (statement) => Promise.try(() => db.read(statement)).catch(note),
      transact: (statements, check) => forChange().transact(statements, check).catch(note),
    },
    run: async (work, need) => {
      const failures: unknown[] = []
      const result = await works.run({ failures, need }, work)
      if (failures.length > 0) throw failures[0]
      return result
    },
  }
}
