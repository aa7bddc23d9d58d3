import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../errors/index.ts'
import type { Database } from '../store/database.ts'
import type { Sql } from '../store/sql.ts'
import { type Need, type Proof, rightProof, withProof } from './right.ts'

/** A database whose failures cannot be ignored by the code that uses it. */
export interface SurfacedDatabase {
  readonly db: Database
  /** Runs the work, and throws if the database failed. The first change of the work confirms the right, if it needs one. */
  run<Result>(work: () => Promise<Result>, asked: Asked): Promise<Result>
  /** Notes what has proven who signs in. After `confirmSignIn`, the next change checks that it still holds. */
  noteProof(make: (personId: string) => Proof): void
  confirmSignIn(personId: string): void
  /** Has the next change confirm the right once more, and write what the request wants to be written with it. */
  confirmChange(): void
  /** Notes who tries to sign in. */
  notePerson(personId: string): void
}

interface Asked {
  readonly need: Need | null
  readonly attempt: Attempt
  /** Written in the transaction of the change that matters. */
  readonly alongside: readonly Sql[]
}

/** Who tries to sign in, once it is known. */
export interface Attempt {
  personId: string | null
}

interface Work extends Asked {
  readonly failures: unknown[]
  /** Checked by the next change only, because that change may end the session itself. */
  proof: Proof | null
  signInProof: ((personId: string) => Proof) | null
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
    run: async (work, asked) => {
      const failures: unknown[] = []
      const proof = asked.need && rightProof(db, asked.need)
      const result = await works.run({ ...asked, failures, proof, signInProof: null }, work)
      if (failures.length > 0) throw failures[0]
      return result
    },
    noteProof: (make) => {
      const work = works.getStore()
      if (work?.need === null) work.signInProof = make
    },
    notePerson: (personId) => {
      const work = works.getStore()
      if (work) work.attempt.personId = personId
    },
    confirmSignIn: (personId) => {
      const work = works.getStore()
      if (work?.signInProof) work.proof = work.signInProof(personId)
    },
    confirmChange: () => {
      const work = works.getStore()
      if (work?.need) work.proof = withStatements(rightProof(db, work.need), work.alongside)
    },
  }
}

/** The proof, and then statements that need no check. */
const withStatements =
  (proof: Proof, more: readonly Sql[]): Proof =>
  () => {
    const { statements, check } = proof()
    return { statements: [...statements, ...more], check: (found) => check(found.slice(0, statements.length)) }
  }
