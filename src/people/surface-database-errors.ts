import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { type Need, type Proof, passwordProof, rightProof, withProof } from './right.ts'

/** A database whose failures cannot be passed over by the work that uses it. */
export interface SurfacedDatabase {
  readonly db: Database
  /** Does the work, and fails where the database did. Its first change confirms the right to it, where it needs one. */
  run<Result>(work: () => Promise<Result>, need: Need | null): Promise<Result>
  /** A password fits this hash. Of one who signs in, the next change confirms that it is still the hash of that person. */
  noteFitting(hash: string): void
  confirmPassword(personId: string): void
}

interface Work {
  readonly failures: unknown[]
  /** What its next change has to confirm. Those after it may have ended the session themselves. */
  proof: Proof | null
  readonly isSignIn: boolean
  fittingHash: string | null
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
    const proof = work?.proof
    if (!work || !proof) return db
    work.proof = null
    return withProof(db, proof)
  }
  return {
    db: {
      ...db,
      read: (statement) => Promise.try(() => db.read(statement)).catch(note),
      transact: (statements, check) => forChange().transact(statements, check).catch(note),
    },
    run: async (work, need) => {
      const failures: unknown[] = []
      const proof = need && rightProof(db, need)
      const result = await works.run({ failures, proof, isSignIn: need === null, fittingHash: null }, work)
      if (failures.length > 0) throw failures[0]
      return result
    },
    noteFitting: (hash) => {
      const work = works.getStore()
      if (work?.isSignIn) work.fittingHash = hash
    },
    confirmPassword: (personId) => {
      const work = works.getStore()
      if (work?.fittingHash) work.proof = passwordProof(db, personId, work.fittingHash)
    },
  }
}
