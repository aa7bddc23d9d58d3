import type { Attacker } from './attack-request.ts'

/** What no request may exceed, and how long the adversary waits to see it. */
export interface Limits {
  /** How much longer the list of another company may take than its quiet p99. */
  readonly stallMs: Readonly<Record<Attacker, number>>
  /** The same for a create of another company. On SQLite, one write waits for another. */
  readonly createMs: number
  readonly memoryMb: number
  /** After which a service that does not answer is given up, as frozen. */
  readonly patienceMs: number
  /** How long connections are held on which nothing is sent or read. */
  readonly heldMs: number
}

/** Shorter runs share a machine with other tests, so that only a service that stands still can be told from a busy one. */
const steadySeconds = 60

const steady: Limits = {
  stallMs: { key: 20, credential: 100, narrowed: 100, viewer: 100, owner: 100 },
  ...{ createMs: 6000, memoryMb: 512, patienceMs: 5000, heldMs: 500 },
}

/** No create waits as long as this: a file is never locked for so long. */
export const lockedMs = 15_000

/** Where a machine is busy, what is not used any more is collected later. */
const short: Limits = {
  stallMs: { key: 1500, credential: 1500, narrowed: 1500, viewer: 1500, owner: 1500 },
  ...{ createMs: lockedMs, memoryMb: 1024, patienceMs: 4000, heldMs: 500 },
}

/** How long a list and a create may take where nothing else is asked of the service. */
export interface Patience {
  readonly list: number
  readonly create: number
}

/** A shorter run waits for a machine that stands still. */
export const quietPatienceFor = (seconds: number): Patience =>
  seconds < steadySeconds ? { list: 120_000, create: 120_000 } : { list: 30_000, create: lockedMs }

export const limitsFor = (seconds: number): Limits => (seconds < steadySeconds ? short : steady)

/** How much there is in the companies of the adversary. */
export interface Amounts {
  /** Projects of the company with very many. */
  readonly rows: number
  /** Projects of the other one, each with 192 KB of fields; and those with texts of every kind, of 28 KB. Together fewer than are read elsewhere than in the thread of all. */
  readonly largest: number
  readonly large: number
}

/** A thousand projects for each second of the run, so that a short one does not spend its time on making them. */
export function amountsFor(seconds: number): Amounts {
  const rows = Math.min(1_000_000, Math.max(20_000, seconds * 1000))
  return seconds < steadySeconds ? { rows, largest: 100, large: 150 } : { rows, largest: 1500, large: 3400 }
}
