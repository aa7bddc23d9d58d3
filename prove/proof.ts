import { ApiError } from '../src/errors/index.ts'
import type { TestEngine } from '../test/support/engines.ts'
import type { Environment } from '../test/support/service.ts'
import { connectionTimeout } from '../test/support/until-connected.ts'
import type { Sabotage } from './sabotage.ts'

export type EngineName = TestEngine['name']

/** A promise of the service, and a program that tries to break it. */
export interface Proof {
  readonly promise: string
  readonly attack: string
  /** How much is tried: what `npm test` does of it, and what the promise is published with, for each engine it is made for. */
  readonly size: {
    readonly unit: string
    /** null: it measures time, which tests that share a machine would spoil, or needs what they do not have. */
    readonly short: number | null
    readonly full: Readonly<Partial<Record<EngineName, number>>>
  }
  /** A variable of the environment without which it cannot be tried; it is then left out, unless it is asked for by name. */
  readonly needs?: string
  /** The service runs only in processes of its own, so that a control has to reach those alone. */
  readonly isOutside?: true
  /** Throws Broken where the promise does not hold. */
  run(attempt: Attempt): Promise<Figures>
  /** The guards, each broken on purpose: the same attack must then find the promise broken. */
  readonly controls: readonly Control[]
}

export interface Control extends Sabotage {
  /** Where the guard is one engine's own. */
  readonly engines?: readonly EngineName[]
  /** What the attack must then say: one that fails for another reason has not noticed. */
  readonly notices: string
  /** How much it takes to notice, where it is not the short size. */
  readonly size?: number
}

export interface Attempt {
  readonly engine: TestEngine
  readonly size: number
  /** Variables that every process of the service has to be started with, so that a control reaches it. */
  readonly env: Environment
  /** What has to be ended and removed afterwards, whatever happens. */
  readonly ends: AsyncDisposableStack
}

/** What was measured, in the order in which it is shown. */
export type Figures = Readonly<Record<string, number | string>>

/** A promise did not hold. Any other error only says that the attack could not be made. */
export class Broken extends Error {}

/** The attack met nothing that it could have broken: it is made again. */
export class Missed extends Error {}

/** The service answers with these where a machine is too busy to serve a request in time. With the last, nobody knows whether it was done. */
const busyCodes = ['overloaded', 'PGRST001', '57014', 'outcome_unknown']

/** Whether an error, or the text of an answer, only says that the machine was too busy. */
export const isTooBusy = (said: unknown): boolean =>
  said instanceof ApiError
    ? busyCodes.includes(said.code)
    : String(said).includes(connectionTimeout) || busyCodes.some((code) => String(said).includes(`"code":"${code}"`))

/** Complains about what should not be there, with the first few of it. */
export function requireNone(what: string, found: readonly unknown[]): void {
  if (found.length === 0) return
  const some = found.slice(0, 3).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)).slice(0, 300))
  throw new Broken(`${found.length} ${what}: ${some.join('; ')}`)
}
