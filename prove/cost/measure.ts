import { watchMemory } from '../processes.ts'
import type { Arena } from './arena.ts'
import { type AttackRequest, composeCopies, isHeld, isWrite } from './attack-request.ts'
import { fire, type Shot } from './fire.ts'
import type { Limits } from './limits.ts'
import type { AllWaits, Waits } from './probe.ts'

/** What one request did to everybody else. */
export interface Measured {
  /** How much longer than in quiet another company's list took, at worst; 0 where that happens in quiet, too. */
  readonly stallMs: number
  /** The same of a create. */
  readonly createMs: number
  /** Of all processes of the service, at most. */
  readonly memoryMb: number
  /** The same, beyond what they held before. */
  readonly grownMb: number
  readonly bytes: number
  readonly tookMs: number
  readonly statuses: readonly number[]
  /** The service had to be started over. */
  readonly isOver: boolean
  /** It had ended by itself, or had to be ended because of its memory. */
  readonly isEnded: boolean
}

/** What takes how long in quiet. */
export type Quiet = Readonly<Record<keyof AllWaits, Omit<Waits, 'count'>>>

const sampleMs = 10
/** A write may take as long as a statement may, and costs most at its end. */
const writtenMs = 12_000
/** For what was under way when the answer came. */
const lastListMs = 2000
/** Beyond this, it is known to be too much. */
const memoryTimes = 2
/** Streams that begin in the past have much to read. */
const streamMs = 1500

export type Measure = (request: AttackRequest) => Promise<Measured>

/** Sends a request, and watches another company and the memory meanwhile. */
export function createMeasure(arena: Arena, limits: Limits, quiet: () => Quiet): Measure {
  return async (request) => {
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
    const { statuses, bytes } = await send(arena, limits, request)
    const waits = await probe.end(Math.max(lastListMs, limits.stallMs[request.as]))
    const tookMs = performance.now() - startedAt
    const memoryMb = memory.stop()
    const isEnded = held.isTooMuch || !service.isRunning()
    const isOver = waits === null || isEnded
    if (isOver) await arena.startOver()
    await arena.tidy(request, statuses)
    return {
      stallMs: stallOf(waits?.list.longest ?? tookMs, quiet().list),
      createMs: stallOf(waits?.create.longest ?? tookMs, quiet().create),
      memoryMb,
      grownMb: memoryMb - held.before,
      bytes,
      tookMs,
      statuses,
      isOver,
      isEnded,
    }
  }
}

interface Sent {
  readonly statuses: readonly number[]
  readonly bytes: number
}

/** Sends it on as many connections as it wants, and what follows while they are open. */
async function send(arena: Arena, limits: Limits, request: AttackRequest): Promise<Sent> {
  const copies = composeCopies(request, arena.identitiesOf(request))
  const { next } = request
  const following = next ? Bun.sleep(limits.heldMs).then(() => send(arena, limits, next)) : null
  const held = isHeld(request) ? (following ?? Bun.sleep(heldMsOf(request, limits))) : null
  const patienceMs = Math.max(limits.patienceMs, isWrite(request) ? writtenMs : 0)
  const firing = { ...limits, patienceMs, port: Number(new URL(arena.service.base).port), manner: request.manner, held }
  const shots: readonly Shot[] = await Promise.all(copies.map((bytes) => fire(bytes, firing)))
  await Bun.sleep(afterwardsMs(request))
  const followed = await following
  return {
    statuses: [...shots.map(({ status }) => status), ...(followed?.statuses ?? [])],
    bytes: copies.reduce((sum, { length }) => sum + length, followed?.bytes ?? 0),
  }
}

const heldMsOf = ({ manner }: AttackRequest, { heldMs }: Limits): number => (manner ? heldMs : streamMs)

/** How long a service goes on with what was written, after it has answered: it sends webhooks, and rewrites rows for other fields. */
function afterwardsMs({ method, path, company }: AttackRequest): number {
  if (!isWrite({ method }) || company === undefined) return 0
  return path.startsWith('/api/fields') ? 3000 : 600
}

const stallOf = (longestMs: number, quiet: Omit<Waits, 'count'>): number =>
  longestMs <= quiet.longest ? 0 : longestMs - quiet.p99
