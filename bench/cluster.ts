import { startService } from './child.ts'
import type { Pace } from './compare.ts'
import { makeClusterDatabase } from './engine.ts'
import { type Spread, spreadOf } from './figures.ts'
import { measure } from './load.ts'
import { emptyWriter, makePlace } from './place.ts'
import { makeSubjects } from './subjects.ts'

/** The same service on one PostgreSQL server and on a Citus cluster of the same machine. */
export interface Clustered {
  readonly subject: string
  readonly title: string
  /** Requests per second. */
  readonly plain: Spread
  readonly cluster: Spread
  /** The cluster's share of the plain server's speed, round by round. */
  readonly ratio: Spread
}

const measured = ['list-20', 'get', 'embed', 'create', 'bulk-1000']

/** In turns, so that other load on the machine affects both equally. */
export async function* compareCluster(pace: Pace, ends: AsyncDisposableStack): AsyncGenerator<Clustered> {
  const places = [
    await makePlace('postgres', 0, ends),
    await makePlace('postgres', 0, ends, await makeClusterDatabase(ends)),
  ] as const
  const services = await Promise.all(places.map((place) => startService(place, ends)))
  for (const name of measured) {
    const loads = places.map((place, at) => {
      const subject = makeSubjects(place).find((one) => one.name === name) ?? never(name)
      const { base, pid } = services[at] ?? never(name)
      return { place, title: subject.title, load: { ...subject, url: base + subject.path, pid } }
    })
    for (const { load } of loads) await measure(load, 1)
    const found: number[][] = [[], []]
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const [at, { place, load }] of loads.entries()) {
        if (load.body !== null) await emptyWriter(place)
        found[at]?.push((await measure(load, pace.seconds)).perSecond)
      }
    }
    const [plain = [], cluster = []] = found
    const ratio = spreadOf(cluster.map((speed, at) => speed / (plain[at] ?? Number.NaN)))
    yield { subject: name, title: loads[0]?.title ?? name, plain: spreadOf(plain), cluster: spreadOf(cluster), ratio }
  }
}

function never(name: string): never {
  throw new Error(`There is no subject "${name}"`)
}
