import { watchMemory } from '../processes.ts'
import type { Arena } from './arena.ts'
import { type AttackRequest, composeCopies } from './attack-request.ts'
import { restoreCompany } from './fill.ts'
import { fire } from './fire.ts'
import type { Limits } from './limits.ts'

/** What one request did to everybody else. */
export interface Measured {
  /** How much longer than in quiet another company's list took, at worst. */
  readonly stallMs: number
  /** Of all processes of the service, at most. */
  readonly memoryMb: number
  /** The same, beyond what they held before. */
  readonly grownMb: number
  readonly bytes: number
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
export function createMeasure(arena: Arena, limits: Limits, quietMs: () => number): Measure {
  return async (request) => {
    const copies = composeCopies(request, arena.identityOf(request.as))
    const { probe, service } = arena
    const started = { at: performance.now(), mb: 0 }
    probe.begin()
    const memory = watchMemory(service.pid, sampleMs, (mb) => {
      started.mb ||= mb
      if (mb > memoryTimes * limits.memoryMb) service.kill('SIGKILL')
    })
    const firing = { port: Number(new URL(service.base).port), manner: request.manner, ...waitsOf(limits) }
    const shots = await Promise.all(copies.map((bytes) => fire(bytes, firing)))
    const waits = await probe.end(lastListMs)
    const memoryMb = memory.stop()
    const isOver = waits === null || !isRunning(service.pid)
    const longest = waits?.longest ?? performance.now() - started.at
    if (isOver) await arena.startOver()
    const statuses = shots.map(({ status }) => status)
    if (request.method !== 'GET' && statuses.some(isDone)) await restoreCompany(arena.filled)
    return {
      stallMs: Math.max(0, longest - quietMs()),
      memoryMb,
      grownMb: memoryMb - started.mb,
      bytes: copies.reduce((sum, { length }) => sum + length, 0),
      statuses,
      isOver,
    }
  }
}

const waitsOf = ({ heldMs, patienceMs }: Limits) => ({ heldMs, withinMs: patienceMs })

/** 0: cut off, and perhaps done. */
const isDone = (status: number): boolean => status === 0 || (status >= 200 && status < 300)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
