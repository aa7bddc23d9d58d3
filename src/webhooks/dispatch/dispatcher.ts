import { askAll } from '../../store/ask-all.ts'
import type { Database, Rows } from '../../store/database.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { type Attempt, type Outcome, outcomeOf } from '../attempt.ts'
import type { DisabledReason, Endpoint, EndpointRef } from '../endpoint.ts'
import { readEndpoint } from '../endpoints.ts'
import type { Seal } from '../seal.ts'
import type { Send } from '../send/send.ts'
import { type Backlog, measureBacklog } from './backlog.ts'
import { anyEndpoint, endpointsBehind, endpointsOf, refOf } from './behind.ts'
import { claim, findDue, type Lease, leaseMs, makeDue, nothingLeft, type Rest, release, renew } from './due.ts'
import { isBehind, Overtaken, work } from './work.ts'

/** Delivers events to the endpoints of all companies. Any number of instances share the work. */
export interface Dispatcher {
  start(): void
  /** A hint that a company has new events. Without one, they are found within a minute. */
  wake(companyId: string): void
  /** Ends after the attempts that are under way. */
  stop(): Promise<void>
  /** By this instance so far. */
  readonly attempts: Readonly<Record<Outcome, number>>
  /** Of all companies. */
  backlog(): Promise<Backlog>
}

export interface DispatcherParts {
  readonly db: Database
  readonly seal: () => Seal
  readonly send: Send
  disable(endpoint: Endpoint, reason: DisabledReason): Promise<void>
  failed(error: unknown): void
}

/** How often work is looked for that nobody has given a hint of: retries, and what an ended instance has left. */
const pollMs = 1000
/** Hints are collected for so long. */
const hintMs = 50
const hintsMax = 10_000
/** How often events are looked for whose hint was lost. */
const behindMs = 60_000

/** Endpoints that are worked on at once. Those that fail must not take all turns, nor those of one company. */
const [endpointsMax, failingMax, companyMax] = [32, 16, 4]
/** Several times as many, because some may be of companies that have their share. */
const foundMax = 200

/** How long nothing is tried after the database could not be used. */
const pauseMs = 5000

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, failed } = parts
  const running = new Map<
    string,
    { readonly ref: EndpointRef; readonly isFailing: boolean; readonly ended: Promise<void> }
  >()
  const attempts: Record<Outcome, number> = { delivered: 0, refused: 0, unreachable: 0 }
  const workParts = {
    ...parts,
    attempted: (attempt: Attempt) => {
      attempts[outcomeOf(attempt)] += 1
    },
  }
  let hints = new Set<string>()
  let hintTimer: ReturnType<typeof setTimeout> | undefined
  /** What is looked for beside the deliveries, because a node may be silent. */
  const looks = new Set<Promise<void>>()
  let isStopping = false
  let polling: Promise<void> | null = null
  let isPollWanted = false
  let behindAt = 0
  let pausedUntil = 0

  /** One at a time; another one follows if it was asked for meanwhile. */
  function poll(): void {
    if (performance.now() < pausedUntil) return
    isPollWanted = true
    polling ??= pollWhileWanted().finally(() => {
      polling = null
    })
  }

  async function pollWhileWanted(): Promise<void> {
    while (isPollWanted && !isStopping) {
      isPollWanted = false
      try {
        if (performance.now() >= behindAt) inBackground(lookBehind())
        await startDue(false)
        await startDue(true)
      } catch (error) {
        pausedUntil = performance.now() + pauseMs
        failed(error)
      }
    }
  }

  function inBackground(look: Promise<void>): void {
    looks.add(look)
    void look.then(() => looks.delete(look))
  }

  async function lookBehind(): Promise<void> {
    // At another time in each instance.
    behindAt = performance.now() + behindMs * (0.75 + Math.random() / 2)
    let isAny = false
    const notice = (rows: Rows): void => {
      isAny ||= rows.length > 0
    }
    await askAll(db, anyEndpoint, { found: notice, report: failed })
    if (isAny) await askAll(db, endpointsBehind, { found: startFound, report: failed, isLong: true })
  }

  async function startFound(rows: Rows): Promise<void> {
    await makeDue(db, rows.map(refOf))
    if (rows.length > 0) poll()
  }

  async function startDue(isFailing: boolean): Promise<void> {
    const room = (): number => {
      const failing = [...running.values()].filter((one) => one.isFailing).length
      return isFailing ? Math.min(failingMax - failing, endpointsMax - running.size) : endpointsMax - running.size
    }
    if (room() <= 0) return
    for (const ref of await findDue(db, { isFailing, most: foundMax })) {
      if (room() <= 0 || isStopping) return
      if (running.has(ref.id) || countOf(ref.companyId) >= companyMax) continue
      const lease = await claim(db, ref)
      if (lease) start(lease, isFailing)
    }
  }

  const countOf = (companyId: string): number =>
    [...running.values()].filter(({ ref }) => ref.companyId === companyId).length

  function start(lease: Lease, isFailing: boolean): void {
    const ended = serve(lease).finally(() => {
      running.delete(lease.id)
      poll()
    })
    running.set(lease.id, { ref: lease, isFailing, ended })
  }

  /** Works on one endpoint for as long as the lease is held. */
  async function serve(lease: Lease): Promise<void> {
    let heldUntil = performance.now() + leaseMs
    let renewing = Promise.resolve()
    const renewal = setInterval(() => {
      const from = performance.now()
      renewing = renew(db, lease).then((isHeld) => {
        heldUntil = isHeld ? from + leaseMs : 0
      }, failed)
    }, leaseMs / 3)
    try {
      const endpoint = await readEndpoint(db.forRows(lease.companyId), lease.id)
      const isOver = !endpoint || endpoint.disabledAt !== null
      const mayGoOn = (): boolean => performance.now() < heldUntil && !isStopping
      const rest = isOver ? nothingLeft : await work(workParts, endpoint, mayGoOn)
      await release(db, lease, rest)
      await lookAgain(lease, rest)
    } catch (error) {
      if (!(error instanceof Overtaken)) failed(error)
      const isFailing = !(error instanceof Overtaken)
      const dueAt = timestampText(new Date(Date.now() + (isFailing ? pauseMs : 0)))
      // Endpoints of a node that is away must not take all turns either.
      await release(db, lease, { dueAt, isFailing }).catch(failed)
    } finally {
      clearInterval(renewal)
      await renewing
    }
  }

  /** Something may have come between the last look and the release: its hint met a row that was there. */
  async function lookAgain(lease: Lease, rest: Rest): Promise<void> {
    const own = db.forRows(lease.companyId)
    const endpoint = await readEndpoint(own, lease.id)
    if (!endpoint || endpoint.disabledAt !== null) return
    if (await isBehind(own, endpoint, rest)) await makeDue(db, [lease])
  }

  function takeHints(): void {
    clearTimeout(hintTimer)
    const companyIds = [...hints]
    hints = new Set()
    if (companyIds.length > 0) inBackground(askAll(db, endpointsOf, { found: startFound, report: failed, companyIds }))
  }

  let timer: ReturnType<typeof setInterval> | undefined
  return {
    attempts,
    backlog: () => measureBacklog(db, failed),
    start: () => {
      timer = setInterval(poll, pollMs)
      poll()
    },
    wake: (companyId) => {
      if (isStopping || hints.size >= hintsMax) return
      if (hints.size === 0) hintTimer = setTimeout(takeHints, hintMs)
      hints.add(companyId)
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      // For another instance, or the next start.
      takeHints()
      await Promise.all(looks)
      await polling
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
