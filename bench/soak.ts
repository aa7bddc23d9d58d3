import { residentMb } from '../test/support/service.ts'
import { startService } from './child.ts'
import type { Engine } from './engine.ts'
import { median } from './figures.ts'
import { projectId } from './fill.ts'
import { runWrk, type WrkResult } from './load.ts'
import type { Place } from './place.ts'

/** A mixed load for a long time: 80 % lists, 15 % creates, 5 % updates. */
export interface Soaked extends WrkResult {
  readonly engine: Engine
  readonly seconds: number
  readonly memory: readonly { readonly atS: number; readonly mb: number }[]
  /** In the second and in the last tenth of the run. */
  readonly memoryEarlyMb: number
  readonly memoryLateMb: number
}

/** `10m`, `90s` → seconds */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? []
  if (!Number(count)) throw new Error(`--soak takes a time such as 10m or 90s, but is "${text}".`)
  return Number(count) * (unit === 's' ? 1 : unit === 'm' ? 60 : 3600)
}

export async function soak(place: Place, seconds: number, ends: AsyncDisposableStack): Promise<Soaked> {
  const { middle, engine } = place
  const service = await startService(place, ends)
  const memory: { atS: number; mb: number }[] = []
  const startedAt = performance.now()
  const look = () => memory.push({ atS: (performance.now() - startedAt) / 1000, mb: residentMb(service.pid) })
  const timer = setInterval(look, (seconds * 1000) / 100)
  const env = { BID_ID: middle.bidId, PROJECT_ID: projectId(500) }
  const result = await runWrk('./soak.lua', service.base, seconds, middle.caller, env)
  clearInterval(timer)
  look()
  await service.stop()
  const tenth = (at: number) =>
    median(memory.filter(({ atS }) => Math.floor((atS / seconds) * 10) === at).map(({ mb }) => mb))
  return { engine, seconds, ...result, memory, memoryEarlyMb: tenth(1), memoryLateMb: tenth(9) }
}
