import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineName } from '../proof.ts'
import { type AttackRequest, distinct } from './attack-request.ts'
import type { Find } from './confirm.ts'
import kept from './regressions.json'

/** A request that broke a limit in some run, and is among the first to be tried in every later one. */
interface Regression {
  readonly engine: EngineName
  readonly what: Find['what']
  /** What it did when it was found, in milliseconds or MB. */
  readonly amount: number
  readonly request: AttackRequest
}

// What is in the file was written below.
const regressions = kept as readonly Regression[]

/** What they ask, each once. */
export const knownRequests = distinct(regressions.map(({ request }) => request))

/** The same of those that were found on one engine. */
export const knownOf = (engine: EngineName): readonly AttackRequest[] =>
  distinct(regressions.filter((one) => one.engine === engine).map(({ request }) => request))

const file = join(import.meta.dir, 'regressions.json')
/** Of each attacker, company and engine. */
const keptMax = 12

/** Keeps what a search has found, the latest first. Texts that nobody could read are not kept. */
export function keepRegressions(engine: EngineName, finds: readonly Find[]): void {
  const made = finds
    .filter(({ isTogether }) => !isTogether)
    .map(({ what, amount, request }) => ({ engine, what, amount: Math.round(amount), request }))
  const all = [...made, ...regressions].filter(isReplayable)
  const groups = Map.groupBy(all, (one) => `${one.engine} ${one.what} ${one.request.as} ${one.request.company}`)
  const latest = [...groups.values()].flatMap((group) => group.filter(isFirst).slice(0, keptMax))
  writeFileSync(file, `${JSON.stringify(latest, null, 2)}\n`)
}

const readableMax = 3000
const isReplayable = ({ what, request }: Regression): boolean =>
  what !== 'log' && JSON.stringify(request).length < readableMax

const isFirst = ({ request }: Regression, at: number, group: readonly Regression[]): boolean =>
  group.findIndex((one) => JSON.stringify(one.request) === JSON.stringify(request)) === at
