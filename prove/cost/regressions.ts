import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineName } from '../proof.ts'
import type { AttackRequest } from './attack-request.ts'
import type { Find } from './confirm.ts'
import kept from './regressions.json'

/** A request that did most of its kind in some run, and is the first to be tried in every later one. */
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
export const knownRequests: readonly AttackRequest[] = [
  ...new Map(regressions.map(({ request }) => [JSON.stringify(request), request])).values(),
]

const file = join(import.meta.dir, 'regressions.json')
/** Of each attacker on each engine. */
const keptMax = 2

/** Keeps the worst of the known and the new ones. Texts that nobody could read are not kept. */
export function keepRegressions(engine: EngineName, finds: readonly Find[]): void {
  const made = finds
    .filter(({ isTogether }) => !isTogether)
    .map(({ what, amount, request }) => ({ engine, what, amount: Math.round(amount), request }))
  const all = [...regressions, ...made].filter(isReplayable)
  const groups = Map.groupBy(all, (one) => `${one.engine} ${one.what} ${one.request.as}`)
  const worst = [...groups.values()].flatMap((group) => distinct(group).slice(0, keptMax))
  writeFileSync(file, `${JSON.stringify(worst, null, 2)}\n`)
}

const readableMax = 3000
const isReplayable = ({ what, request }: Regression): boolean =>
  what !== 'log' && JSON.stringify(request).length < readableMax

function distinct(group: readonly Regression[]): Regression[] {
  const sorted = group.toSorted((a, b) => b.amount - a.amount)
  return [...new Map(sorted.toReversed().map((one) => [JSON.stringify(one.request), one])).values()].toReversed()
}
