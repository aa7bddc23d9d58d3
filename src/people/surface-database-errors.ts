import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import { type Need, type Proof, passwordProof, rightProof, withProof } from './right.ts'

/** A database whose failures cannot be ignored by the code that uses it. */
export interface SurfacedDatabase {
  readonly db: Database
  /** Runs the work, and throws if the database failed. The first change of the work confirms the right, if it needs one. */
  run<Result>(work: () => Promise<Result>, asked: { need: Need | null; attempt: Attempt }): Promise<Result>
  /** Notes the hash that a password matched. After `confirmPassword`, the next change of a sign-in checks that it is still stored. */
  noteFitting(hash: string): void
  confirmPassword(personId: string): void
  /** Notes who tries to sign in. */
  notePerson(personId: string): void
}

/** Who tries to sign in, once it is known. */
export interface Attempt {
  personId: string | null
}

interface Work {
  readonly failures: unknown[]
  /** Checked by the next change only, because that change may end the session itself. */
  proof: Proof | null
  readonly isSignIn: boolean
  fittingHash: string | null
  readonly attempt: Attempt
}

/** better-auth reports success for some requests although the store has failed, such as a sign-out that ended no session. */
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
    run: async (work, { need, attempt }) => {
      const failures: unknown[] = []
      const proof = need && rightProof(db, need)
      const result = await works.run({ failures, proof, isSignIn: need === null, fittingHash: null, attempt }, work)
      if (failures.length > 0) throw failures[0]
      return result
    },
    noteFitting: (hash) => {
      const work = works.getStore()
      if (work?.isSignIn) work.fittingHash = hash
    },
    notePerson: (personId) => {
      const work = works.getStore()
      if (work) work.attempt.personId = personId
    },
    confirmPassword: (personId) => {
      const work = works.getStore()
      if (work?.fittingHash) work.proof = passwordProof(db, personId, work.fittingHash)
    },
  }
}
