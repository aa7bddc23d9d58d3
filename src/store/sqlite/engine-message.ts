import type { Problem, Rows } from '../database.ts'
import type { Value } from '../sql.ts'

/** A statement as the engine takes it. */
export interface Rendered {
  readonly text: string
  readonly values: readonly Value[]
}

/** What the service tells one of its engine processes. Each message is answered before the next one is sent. */
export type Told =
  | { readonly kind: 'open'; readonly path: string; readonly isWriter: boolean }
  /** Rows up to the one with which they exceed `bytesMax`. */
  | { readonly kind: 'read'; readonly statement: Rendered; readonly bytesMax: number }
  | { readonly kind: 'run'; readonly statements: readonly Rendered[]; readonly bytesMax: number }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }

export type Said =
  /** `isSpent`: it has grown too large to be used again. */
  | { readonly kind: 'done'; readonly results: readonly Rows[]; readonly isSpent: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem | null; readonly message: string }
