import type { Described } from '../fuzz/fuzz-rest.ts'
import { Random } from '../random.ts'
import type { Arena } from './arena.ts'
import type { AttackRequest } from './attack-request.ts'
import { createBreed } from './breed.ts'
import { confirm, confirmTogether, excessOf, type Find, type Judges } from './confirm.ts'
import type { Limits } from './limits.ts'
import { createMeasure, type Measured } from './measure.ts'
import { Population } from './population.ts'
import { fillLog } from './unread-log.ts'

export interface Searching {
  readonly arena: Arena
  readonly limits: Limits
  readonly seed: number
  readonly seconds: number
  /** Tried first. */
  readonly known: readonly AttackRequest[]
  /** After so many finds, enough is known. */
  readonly findsMax: number
}

export interface Searched {
  readonly finds: readonly Find[]
  readonly population: Population
  readonly tried: number
  readonly quietMs: number
  readonly memoryMb: number
}

const quietSpanMs = 1000
const quietEvery = 200

/** Tries what is known, and then goes on from what was worst. */
export async function search({ arena, limits, seed, seconds, known, findsMax }: Searching): Promise<Searched> {
  const frozen = await fillLog(arena, limits)
  if (frozen) await arena.startOver('off')
  let quietMs = (await arena.probe.quiet(quietSpanMs)).p99
  const judges: Judges = { arena, limits, measure: createMeasure(arena, limits, () => quietMs) }
  const population = new Population()
  const random = new Random(seed)
  const breed = createBreed(random, population, await describedBy(arena))
  const endsAt = performance.now() + seconds * 1000
  const finds: Find[] = frozen ? [frozen] : []
  let sinceStart: AttackRequest[] = []
  let tried = 0
  let memoryMb = 0

  const tryOne = async (request: AttackRequest): Promise<void> => {
    const measured = await judges.measure(request)
    tried += 1
    sinceStart = measured.isOver ? [] : [...sinceStart, request]
    const excess = excessOf(request, measured, limits)
    const found = excess && (await confirmFind(judges, excess, sinceStart))
    if (excess) sinceStart = []
    if (found) finds.push(found)
    else memoryMb = Math.max(memoryMb, Math.min(measured.memoryMb, limits.memoryMb))
    if (excess) population.add(request, measured)
    else if (population.wants(request, measured))
      population.add(request, least(measured, await judges.measure(request)))
    if (tried % quietEvery === 0) quietMs = (await arena.probe.quiet(quietSpanMs)).p99
  }

  for (const request of known) {
    if (performance.now() > endsAt || finds.length >= findsMax) break
    await tryOne(request)
  }
  while (performance.now() < endsAt && finds.length < findsMax) await tryOne(breed())
  return { finds, population, tried, quietMs, memoryMb }
}

/** By itself, or at least together with all that came before it. */
async function confirmFind(judges: Judges, excess: Find, before: readonly AttackRequest[]): Promise<Find | null> {
  const found = await confirm(judges, excess)
  if (found || excess.what === 'stall') return found
  const amount = await confirmTogether(judges, before)
  return amount === null ? null : { ...excess, amount }
}

/** What was slow by chance once is not slow by chance twice. */
const least = (one: Measured, other: Measured): Measured => ({
  ...one,
  stallMs: Math.min(one.stallMs, other.stallMs),
  grownMb: Math.min(one.grownMb, other.grownMb),
})

async function describedBy({ service }: Arena): Promise<Described> {
  const document = await fetch(`${service.base}/rest/v1/`)
  return (await document.json()) as Described
}
