import { startService } from './child.ts'
import { type Pace, type Speed, speedOf } from './compare.ts'
import type { Engine } from './engine.ts'
import { type Spread, spreadOf } from './figures.ts'
import { type Busy, type Load, measure } from './load.ts'
import { emptyWriter, type Place } from './place.ts'
import { makeSubjects } from './subjects.ts'
import { takeTurns } from './turns.ts'

/** What the event of each row adds to a create. */
export interface Evented {
  readonly engine: Engine
  readonly rounds: number
  readonly on: Speed
  readonly off: Speed
  /** More CPU time of the service per request, as a share. */
  readonly moreCpu: Spread
  /** More time per request at full speed, as a share. */
  readonly moreTime: Spread
}

/** One service, and two companies in turns: one of them writes no events. */
export async function measureEvents(place: Place, pace: Pace, ends: AsyncDisposableStack): Promise<Evented> {
  const { base, pid, stop } = await startService(place, ends)
  const loads = [place.writer, place.quiet].map((writer): Load => {
    const create = makeSubjects({ ...place, writer }).find(({ name }) => name === 'create')
    if (!create) throw new Error('There is no create')
    return { ...create, url: base + create.path, pid }
  })
  const turn = async (load: Load) => {
    await emptyWriter(place)
    return measure(load, pace.seconds)
  }
  for (const load of loads) await turn(load)
  const turns = await takeTurns(loads, pace.rounds, turn)
  await stop()
  const moreOf = (costOf: (busy: Busy) => number): Spread =>
    spreadOf(turns.map(([on, off]) => (on && off ? costOf(on) / costOf(off) - 1 : Number.NaN)))
  return {
    ...{ engine: place.engine, rounds: pace.rounds },
    on: speedOf(turns.map(([on]) => on)),
    off: speedOf(turns.map(([, off]) => off)),
    moreCpu: moreOf(({ cpuUs }) => cpuUs),
    moreTime: moreOf(({ perSecond }) => 1 / perSecond),
  }
}
