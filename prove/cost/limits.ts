import type { Attacker } from './attack-request.ts'

/** What no request may exceed, and how long the adversary waits to see it. */
export interface Limits {
  /** How much longer the list of another company may take than its quiet p99. */
  readonly stallMs: Readonly<Record<Attacker, number>>
  readonly memoryMb: number
  /** After which a service that does not answer is given up, as frozen. */
  readonly patienceMs: number
  /** How long connections are held on which nothing is sent or read. */
  readonly heldMs: number
}

/** Shorter runs share a machine with other tests, so that only a service that stands still can be told from a busy one. */
const steadySeconds = 60

export function limitsFor(seconds: number): Limits {
  if (seconds < steadySeconds) {
    const stallMs = { key: 1500, credential: 1500, viewer: 1500 }
    return { stallMs, memoryMb: 512, patienceMs: 4000, heldMs: 500 }
  }
  return { stallMs: { key: 20, credential: 100, viewer: 100 }, memoryMb: 512, patienceMs: 5000, heldMs: 500 }
}

/** A thousand for each second of the run, so that a short one does not spend its time on making them. */
export const rowsFor = (seconds: number): number => Math.min(1_000_000, Math.max(20_000, seconds * 1000))
