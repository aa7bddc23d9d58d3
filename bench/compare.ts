import { type Served, startBare, startService } from './child.ts'
import type { Engine } from './engine.ts'
import { makeFielded, makeFieldedSubjects } from './fielded.ts'
import { median, type Spread, spreadOf } from './figures.ts'
import { type Busy, type Load, measure } from './load.ts'
import { emptyWriter, type Place } from './place.ts'
import { requireSameAnswers } from './same-answers.ts'
import { fieldedNames, makeSubjects, type Rival, type Subject } from './subjects.ts'
import { takeTurns } from './turns.ts'

export interface Pace {
  readonly rounds: number
  readonly seconds: number
}

export interface Speed {
  /** In the unit of the row. */
  readonly speed: Spread
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** CPU time of the server process, per request. */
  readonly cpuUs: number | null
}

/** The figures of the service in one subject. */
export interface Compared {
  readonly engine: Engine
  readonly subject: string
  readonly title: string
  readonly unit: 'requests/s' | 'MB/s'
  readonly rounds: number
  readonly service: Speed
  readonly rivals: readonly (Speed & Pick<Rival, 'name' | 'target'> & { readonly ratio: Spread })[]
  readonly more?: Readonly<Record<string, number>>
}

/** Measures the service and a bare handler, which does only the necessary work, alternately. */
export async function* compare(
  place: Place,
  pace: Pace,
  wants: (name: string) => boolean,
  ends: AsyncDisposableStack,
): AsyncGenerator<Compared> {
  yield* compareIn(
    place,
    makeSubjects(place).filter(({ name }) => wants(name)),
    pace,
    ends,
  )
  if (!fieldedNames.some(wants)) return
  const fielded = await makeFielded(place)
  yield* compareIn(
    fielded,
    makeFieldedSubjects(fielded).filter(({ name }) => wants(name)),
    pace,
    ends,
  )
}

async function* compareIn(
  place: Place,
  subjects: readonly Subject[],
  pace: Pace,
  ends: AsyncDisposableStack,
): AsyncGenerator<Compared> {
  if (subjects.length === 0) return
  const service = await startService(place, ends)
  const bare = await startBare(place, ends)
  for (const subject of subjects) {
    await requireSameAnswers(subject, service, bare)
    yield await compareOne({ place, service, bare, pace }, subject)
  }
  await Promise.all([service.stop(), bare.stop()])
}

interface Ring {
  readonly place: Place
  readonly service: Served
  readonly bare: Served
  readonly pace: Pace
}

async function compareOne({ place, service, bare, pace }: Ring, subject: Subject): Promise<Compared> {
  const { name, title, path, rivals } = subject
  const loads: readonly Load[] = [
    { ...subject, url: service.base + path, pid: service.pid },
    ...rivals.map((rival) => ({ ...subject, url: bare.base + rival.path, pid: bare.pid })),
  ]
  for (const load of loads) await measure(load, Math.min(2, pace.seconds))
  const turns = await takeTurns(loads, pace.rounds, async (load) => {
    if (load.body !== null) await emptyWriter(place)
    return measure(load, pace.seconds)
  })
  const speeds = loads.map((_, at) => speedOf(turns.map((turn) => turn[at])))
  const [own, ...others] = speeds
  if (!own) throw new Error('There was no turn')
  return {
    ...{ engine: place.engine, subject: name, title, unit: 'requests/s', rounds: pace.rounds, service: own },
    rivals: others.map((speed, at) => ({
      ...{ name: rivals[at]?.name ?? '', target: rivals[at]?.target ?? 0, ...speed },
      ratio: spreadOf(turns.map((turn) => (turn[0]?.perSecond ?? 0) / (turn[at + 1]?.perSecond ?? 0))),
    })),
  }
}

export function speedOf(turns: readonly (Busy | undefined)[]): Speed {
  const all = (member: keyof Busy) => turns.map((turn) => turn?.[member] ?? Number.NaN)
  return {
    speed: spreadOf(all('perSecond')),
    p50Ms: median(all('p50Ms')),
    p99Ms: median(all('p99Ms')),
    cpuUs: median(all('cpuUs')),
  }
}
