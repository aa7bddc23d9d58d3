import { join } from 'node:path'
import type { Control, EngineName, Figures } from './proof.ts'
import { findProof } from './proofs.ts'
import { type Sabotage, sabotageVariables } from './sabotage.ts'

export type Outcome =
  | { readonly kind: 'kept'; readonly figures: Figures }
  /** Broken: the promise. Failed: only the attempt, which says nothing about the promise. */
  | { readonly kind: 'broken' | 'failed'; readonly how: string }

/** What an attempt says at its end. */
export type Said = Outcome | { readonly kind: 'missed'; readonly how: string }

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

/** How often an attack is made that could not strike, or that has not noticed what was broken on purpose. */
const triesMax = 5

/** Attempts until one of them could strike. On a busy machine, the moment to do so may pass. */
export async function tryProof(asked: Try): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const said = await attempt(asked)
    if (said.kind !== 'missed') return said
    if (tries === triesMax) return { kind: 'failed', how: `${said.how}, ${tries} times` }
  }
}

/** Attempts until one of them has noticed what was broken on purpose: chance may hide it from some. */
export async function tryControl(asked: Try, control: Control): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryProof({ ...asked, sabotage: control })
    if (tries === triesMax || hasNoticed(outcome, control)) return outcome
  }
}

/** One attempt in a process of its own, so that a sabotage reaches what runs inside it, too. */
async function attempt({ name, engine, size, sabotage, postgresUrl, signal }: Try): Promise<Said> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'attempt.ts'), name, engine, String(size)], {
    env: {
      ...process.env,
      ...(postgresUrl ? { TEST_DATABASE_URL: postgresUrl } : {}),
      ...(sabotage ? sabotageVariables(sabotage, findProof(name).isOutside) : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  })
  const [printed, complained] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const last = printed.trimEnd().split('\n').at(-1) ?? ''
  if (!last.startsWith('{"kind":')) return { kind: 'failed', how: `${printed}${complained}` }
  const said: Said = JSON.parse(last)
  return said.kind === 'failed' ? { kind: 'failed', how: complained || said.how } : said
}

/** Whether the attack found what was broken on purpose, and not something else. */
export const hasNoticed = (outcome: Outcome, { notices }: Control): boolean =>
  outcome.kind === 'broken' && outcome.how.includes(notices)
