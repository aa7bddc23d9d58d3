import { join } from 'node:path'
import type { Control, EngineName, Figures } from './proof.ts'
import { findProof } from './proofs.ts'
import { type Sabotage, sabotageVariables } from './sabotage.ts'

export type Outcome =
  | { readonly kind: 'kept'; readonly figures: Figures }
  /** Broken: the promise. Failed: only the attempt, which says nothing about the promise. */
  | { readonly kind: 'broken' | 'failed'; readonly how: string }

export interface Try {
  readonly name: string
  readonly engine: EngineName
  readonly size: number
  readonly sabotage?: Sabotage
  /** Where it may make databases; without it, it brings a server. */
  readonly postgresUrl?: string | undefined
  /** Ends it before its time. */
  readonly signal?: AbortSignal
}

/** One attempt in a process of its own, so that a sabotage reaches what runs inside it, too. */
export async function tryProof({ name, engine, size, sabotage, postgresUrl, signal }: Try): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'attempt.ts'), name, engine, String(size)], {
    env: {
      ...process.env,
      ...(postgresUrl ? { TEST_DATABASE_URL: postgresUrl } : {}),
      ...(sabotage ? sabotageVariables(sabotage, findProof(name).isOutside) : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const last = said.trimEnd().split('\n').at(-1) ?? ''
  if (!last.startsWith('{"kind":')) return { kind: 'failed', how: `${said}${complained}` }
  const outcome: Outcome = JSON.parse(last)
  return outcome.kind === 'failed' ? { kind: 'failed', how: complained || outcome.how } : outcome
}

/** Whether the attack found what was broken on purpose, and not something else. */
export const hasNoticed = (outcome: Outcome, { notices }: Control): boolean =>
  outcome.kind === 'broken' && outcome.how.includes(notices)
