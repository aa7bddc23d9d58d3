import { startService } from './child.ts'
import type { Pace } from './compare.ts'
import { type Spread, spreadOf } from './figures.ts'
import { measure } from './load.ts'
import { emptyWriter, type Place } from './place.ts'
import { makeSubjects } from './subjects.ts'

/** The same service with an increasing number of processes. */
export interface Worked {
  readonly subject: string
  readonly title: string
  /** Requests per second. */
  readonly speeds: readonly { readonly workers: number; readonly speed: Spread }[]
}

const counts = [1, 2]
const measured = ['list-20', 'create']

export async function* compareWorkers(place: Place, pace: Pace, ends: AsyncDisposableStack): AsyncGenerator<Worked> {
  const services = await Promise.all(counts.map((count) => startService(place, ends, { WORKERS: String(count) })))
  for (const { name, title, caller, path, body } of makeSubjects(place).filter(({ name }) => measured.includes(name))) {
    const loads = services.map(({ base, pid }) => ({ url: base + path, caller, body, pid }))
    for (const load of loads) await measure(load, 1)
    const found: number[][] = counts.map(() => [])
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const [at, load] of loads.entries()) {
        if (body !== null) await emptyWriter(place)
        found[at]?.push((await measure(load, pace.seconds)).perSecond)
      }
    }
    const speeds = counts.map((workers, at) => ({ workers, speed: spreadOf(found[at] ?? []) }))
    yield { subject: name, title, speeds }
  }
}
