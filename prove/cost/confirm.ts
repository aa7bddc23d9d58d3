import type { Arena } from './arena.ts'
import { type AttackRequest, isOneAttack } from './attack-request.ts'
import type { Limits } from './limits.ts'
import type { Measure, Measured } from './measure.ts'

/** A request that breaks a promise, each time that it is sent. */
export interface Find {
  readonly request: AttackRequest
  /** `stall` of a list, or of a `create`; `log`: it only has to be sent often, while nobody reads the log. */
  readonly what: 'stall' | 'create' | 'memory' | 'log'
  /** In milliseconds or MB. */
  readonly amount: number
  /** It takes others before it: alone it does less. */
  readonly isTogether?: true
}

/** What of it is more than it may be. */
export function excessOf(request: AttackRequest, measured: Measured, limits: Limits): Find | null {
  const { stallMs, createMs, memoryMb } = measured
  const isOne = isOneAttack(request)
  if (isOne && stallMs > limits.stallMs[request.as]) return { request, what: 'stall', amount: stallMs }
  if (isOne && createMs > limits.createMs) return { request, what: 'create', amount: createMs }
  return memoryMb > limits.memoryMb ? { request, what: 'memory', amount: memoryMb } : null
}

export interface Judges {
  readonly arena: Arena
  readonly limits: Limits
  readonly measure: Measure
}

const repetitions = 5
const majority = Math.ceil(repetitions / 2)
/** So many times the limit is no accident: once more is enough. */
const certainTimes = 20
const quietMs = 300
/** Times at which the machine was busy with something else do not count, but there is an end to trying. */
const triesMax = 8

/**
 * Sends it again until most of five are known to exceed the limit or not to. Time may be lost to something else, and then
 * it is no find; memory that was held was held, if only together with what others had left.
 */
export async function confirm(judges: Judges, found: Find): Promise<Find | null> {
  const needed = isCertain(found, judges.limits) ? 1 : majority
  const excesses: number[] = []
  let innocent = 0
  for (let tries = 0; tries < triesMax && excesses.length < needed && innocent < majority; tries += 1) {
    const again = await tryAgain(judges, found)
    if (again === 'busy') continue
    if (again) excesses.push(again.amount)
    else innocent += 1
  }
  if (excesses.length >= needed) return { ...found, amount: Math.min(...excesses) }
  return found.what === 'memory' ? { ...found, isTogether: true } : null
}

const isCertain = ({ what, request, amount }: Find, { stallMs }: Limits): boolean =>
  (what === 'stall' && amount > certainTimes * stallMs[request.as]) || what === 'create'

async function tryAgain({ arena, limits, measure }: Judges, { request, what }: Find): Promise<Find | 'busy' | null> {
  // Memory counts from the start of a service on: what others have left behind is not this one's.
  if (what === 'memory') await arena.startOver()
  const before = await arena.probe.quiet(quietMs)
  const measured = await measure(request)
  const found = excessOf(request, measured, limits)
  if (found?.what !== what) return null
  if (what === 'memory') return found
  // As long as the request took: the longer one looks, the more one sees of what else the machine does.
  const after = await arena.probe.quiet(Math.max(quietMs, measured.tookMs))
  return Math.max(before.list.longest, after.list.longest) > found.amount / 2 ? 'busy' : found
}
