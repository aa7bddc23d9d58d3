import { residentMb } from '../test/support/service.ts'
import { startService } from './child.ts'
import type { Engine } from './engine.ts'
import { type Spread, spreadOf } from './figures.ts'
import type { Place } from './place.ts'

/** The cost of a start with an existing database. */
export interface Started {
  readonly engine: Engine
  /** From the start of the process to the response with the first list. */
  readonly firstAnswerMs: Spread
  readonly idleMb: Spread
}

const starts = 7
const settleMs = 3000

export async function measureStart(place: Place, ends: AsyncDisposableStack): Promise<Started> {
  const times: number[] = []
  const sizes: number[] = []
  for (let count = 0; count < starts; count += 1) {
    const startedAt = performance.now()
    const service = await startService(place, ends)
    const answer = await fetch(`${service.base}/rest/v1/project`, { headers: place.small.caller })
    if (answer.headers.get('Content-Range') !== '0-19/*') throw new Error('The first answer is not the list')
    times.push(performance.now() - startedAt)
    await Bun.sleep(settleMs)
    sizes.push(residentMb(service.pid))
    await service.stop()
  }
  return { engine: place.engine, firstAnswerMs: spreadOf(times), idleMb: spreadOf(sizes) }
}

/** Memory of the service some time after a start. */
export async function measureIdle(place: Pick<Place, 'databaseUrl'>, ends: AsyncDisposableStack): Promise<number> {
  const service = await startService(place, ends)
  await Bun.sleep(settleMs)
  const idleMb = residentMb(service.pid)
  await service.stop()
  return idleMb
}
