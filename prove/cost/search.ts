import type { Described } from '../fuzz/fuzz-rest.ts'
import { Random } from '../random.ts'
import type { Arena } from './arena.ts'
import type { AttackRequest } from './attack-request.ts'
import { createBreed } from './breed.ts'
import { confirm, excessOf, type Find, type Judges } from './confirm.ts'
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
const quietEveryMs = 20_000

/** Tries what is known, and then goes on from what was worst. */
export async function search({ arena, limits, seed, seconds, known, findsMax }: Searching): Promise<Searched> {
  const frozen = await fillLog(arena)
  if (frozen) await arena.startOver('off')
  const quiet = await createQuiet(arena)
  const judges: Judges = { arena, limits, measure: createMeasure(arena, limits, quiet.latest) }
  const population = new Population()
  const breed = createBreed(new Random(seed), population, await describedBy(arena))
  const endsAt = performance.now() + seconds * 1000
  const finds: Find[] = frozen ? [frozen] : []
  let tried = 0
  let memoryMb = 0

  const tryOne = async (request: AttackRequest, isKnown: boolean): Promise<void> => {
    await quiet.refresh()
    const measured = await judges.measure(request)
    tried += 1
    memoryMb = Math.max(memoryMb, measured.memoryMb)
    const excess = excessOf(request, measured, limits)
    const found = excess && (await confirm(judges, excess))
    if (found) finds.push(found)
    if (found || (isKnown && !excess)) population.add(request, measured)
    else if (excess) population.add(request, least(measured, await judges.measure(request)))
    else if (population.wants(request, measured))
      population.add(request, least(measured, await judges.measure(request)))
  }

  const isOver = (): boolean => performance.now() > endsAt || finds.length >= findsMax
  for (const request of known) if (!isOver()) await tryOne(request, true)
  while (!isOver()) await tryOne(breed(), false)
  return { finds, population, tried, quietMs: quiet.latest().list.p99, memoryMb }
}

/** How long lists take in quiet, measured again now and then: a machine is not always alike. */
async function createQuiet({ probe }: Arena) {
  let latest = await probe.quiet(quietSpanMs)
  let at = performance.now()
  return {
    latest: () => latest,
    refresh: async (): Promise<void> => {
      if (performance.now() < at + quietEveryMs) return
      latest = await probe.quiet(quietSpanMs)
      at = performance.now()
    },
  }
}

/** What was slow by chance once is not slow by chance twice. */
const least = (one: Measured, other: Measured): Measured => ({
  ...one,
  stallMs: Math.min(one.stallMs, other.stallMs),
  createMs: Math.min(one.createMs, other.createMs),
  grownMb: Math.min(one.grownMb, other.grownMb),
})

async function describedBy({ service }: Arena): Promise<Described> {
  const document = await fetch(`${service.base}/rest/v1/`)
  return (await document.json()) as Described
}
