import { watchMemory } from '../processes.ts'
import type { Arena } from './arena.ts'
import { type AttackRequest, composeCopies } from './attack-request.ts'
import { fire } from './fire.ts'
import type { Limits } from './limits.ts'
import type { Waits } from './probe.ts'

/** What one request did to everybody else. */
export interface Measured {
  /** How much longer than in quiet another company's list took, at worst; 0 where that happens in quiet, too. */
  readonly stallMs: number
  /** Of all processes of the service, at most. */
  readonly memoryMb: number
  /** The same, beyond what they held before. */
  readonly grownMb: number
  readonly bytes: number
  readonly tookMs: number
  readonly statuses: readonly number[]
  /** The service had to be started over. */
  readonly isOver: boolean
}

const sampleMs = 10
/** For the list that was under way when the answer came. */
const lastListMs = 2000
/** Beyond this, it is known to be too much. */
const memoryTimes = 2

export type Measure = (request: AttackRequest) => Promise<Measured>

/** Sends a request, and watches another company and the memory meanwhile. */
export function createMeasure(arena: Arena, limits: Limits, quiet: () => Omit<Waits, 'count'>): Measure {
  return async (request) => {
    const copies = composeCopies(request, arena.identityOf(request.as))
    const { probe, service } = arena
    const startedAt = performance.now()
    const held = { before: 0, isTooMuch: false }
    probe.begin()
    const memory = watchMemory(service.pid, sampleMs, (mb) => {
      held.before ||= mb
      if (mb < memoryTimes * limits.memoryMb) return
      held.isTooMuch = true
      service.kill('SIGKILL')
    })
    const firing = { ...limits, port: Number(new URL(service.base).port), manner: request.manner }
    const shots = await Promise.all(copies.map((bytes) => fire(bytes, firing)))
    const waits = await probe.end(Math.max(lastListMs, limits.stallMs[request.as]))
    const tookMs = performance.now() - startedAt
    const memoryMb = memory.stop()
    const isOver = waits === null || held.isTooMuch || !service.isRunning()
    if (isOver) await arena.startOver()
    const statuses = shots.map(({ status }) => status)
    await arena.tidy(request, statuses)
    return {
      stallMs: stallOf(waits?.longest ?? tookMs, quiet()),
      memoryMb,
      grownMb: memoryMb - held.before,
      bytes: copies.reduce((sum, { length }) => sum + length, 0),
      tookMs,
      statuses,
      isOver,
    }
  }
}

const stallOf = (longestMs: number, quiet: Omit<Waits, 'count'>): number =>
  longestMs <= quiet.longest ? 0 : longestMs - quiet.p99
