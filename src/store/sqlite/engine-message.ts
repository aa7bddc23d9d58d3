import type { Problem, Rows } from '../database.ts'
import type { Value } from '../sql.ts'

/** A statement in the form that the driver takes. */
export interface Rendered {
  readonly text: string
  readonly values: readonly Value[]
}

/** A message from the service to an engine process. Each one is answered before the next one is sent. */
export type EngineRequest =
  | { readonly kind: 'open'; readonly path: string; readonly isWriter: boolean }
  /** Stops after the row with which the result exceeds `bytesMax`. */
  | { readonly kind: 'read'; readonly statement: Rendered; readonly bytesMax: number }
  | { readonly kind: 'run'; readonly statements: readonly Rendered[]; readonly bytesMax: number }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }

export type EngineReply =
  /** `isSpent`: the process uses too much memory to be used again. */
  | { readonly kind: 'done'; readonly results: readonly Rows[]; readonly isSpent: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem | null; readonly message: string }
