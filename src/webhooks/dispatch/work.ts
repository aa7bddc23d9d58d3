import { latestResources } from '../../fields/own-resources.ts'
import type { Resource } from '../../resources/define.ts'
import { resources } from '../../resources/index.ts'
import type { CompanyStore, Database } from '../../store/database.ts'
import { readEvents } from '../../store/events/read-events.ts'
import { timestampText } from '../../types/timestamp-text.ts'
import { type Attempt, attempt, isReceived } from '../attempt.ts'
import { hasSlowFilter } from '../choose-events.ts'
import { unsigned } from '../deliveries.ts'
import type { DisabledReason, Endpoint } from '../endpoint.ts'
import type { Seal } from '../seal.ts'
import type { Send } from '../send/send.ts'
import { nothingLeft, type Rest } from './due.ts'
import { isFull, Overtaken, queueEvents } from './queue-events.ts'
import { record, type Tried } from './record.ts'
import { failingMsMax } from './schedule.ts'
import { type Due, nextDueAt, takeDue } from './take.ts'
import { type FindTarget, followTarget, type Target } from './target.ts'

export interface WorkParts {
  readonly db: Database
  readonly seal: () => Seal
  readonly send: Send
  /** Called for each attempt. */
  attempted(attempt: Attempt): void
  disable(endpoint: Endpoint, reason: DisabledReason): Promise<void>
}

/** Connections to one endpoint at a time; one while it fails. */
const lanesMax = 8
/** Deliveries that are read at once. */
const dueMax = 100
/** How long an endpoint is worked on before others have their turn. */
const sliceMs = 5000

/** Queues and sends the events of one endpoint, until nothing is left to do now or its turn is over. Says what is left. */
export async function work(parts: WorkParts, found: Endpoint, mayGoOn: () => boolean): Promise<Rest> {
  const own = parts.db.forRows(found.companyId)
  const endsAt = performance.now() + sliceMs
  const goesOn = (): boolean => mayGoOn() && performance.now() < endsAt
  const known = await resourcesFor(parts.db, found)
  if (hasSlowFilter(found, known)) {
    await parts.disable(found, 'slow_filter')
    return nothingLeft
  }
  let endpoint = found
  let isOver = false
  while (goesOn() && !isOver) {
    const queued = await queueEvents(own, endpoint, known)
    endpoint = queued.endpoint
    const due = await takeDue(own, endpoint.id, dueMax)
    if (due.length === 0 && !queued.hasMore) break
    // Read after the events: what happens after a change of the endpoint is sent to it as it is then.
    const target = followTarget(parts.db, parts.seal(), endpoint)
    const sender = new Sender(parts, own, endpoint, { target, goesOn })
    await sender.sendAll(due)
    endpoint = sender.endpoint
    if (sender.disabledReason) await parts.disable(endpoint, sender.disabledReason)
    isOver = sender.disabledReason !== null || (await target()) === null
  }
  return { dueAt: isOver ? null : await nextDueAt(own, endpoint.id), isFailing: endpoint.failingSince !== null }
}

/** With the company's own columns, where a condition may name them. */
const resourcesFor = async (db: Database, { companyId, filter }: Endpoint): Promise<readonly Resource[]> =>
  filter === '' ? resources : latestResources(db, companyId)

/** Whether an endpoint has something to do that its worker has not seen: asked after its lease is given back. */
export async function isBehind(own: CompanyStore, { id, queuedSequence }: Endpoint, { dueAt }: Rest): Promise<boolean> {
  const nextAt = await nextDueAt(own, id)
  if (nextAt !== null && (dueAt === null || nextAt < dueAt)) return true
  return (await readEvents(own, queuedSequence, 1)).hasMore && !(await isFull(own, id))
}

export { Overtaken }

/** What is asked before each attempt. */
interface Permission {
  readonly target: FindTarget
  goesOn(): boolean
}

/** The endpoint is not as it was when the attempt began. */
class Changed extends Error {}

/** Sends some deliveries of one endpoint, several at a time, and records what comes of them. */
class Sender {
  disabledReason: DisabledReason | null = null
  private tried: Tried[] = []
  private storedFailing: string | null
  private recording: Promise<void> | null = null
  /** Why nothing could be recorded. */
  private problem: unknown = null

  constructor(
    private readonly parts: WorkParts,
    private readonly own: CompanyStore,
    public endpoint: Endpoint,
    private readonly permission: Permission,
  ) {
    this.storedFailing = endpoint.failingSince
  }

  async sendAll(due: readonly Due[]): Promise<void> {
    // After a replay, several events of one row may be due: they are sent one after the other.
    const rows = [...Map.groupBy(due, ({ rowId }) => rowId).values()]
    const lane = async (number: number): Promise<void> => {
      while (this.isFree(number)) {
        const deliveries = rows.shift()
        if (!deliveries) return
        for (const delivery of deliveries) if (!(await this.sendOne(delivery))) break
      }
    }
    await Promise.all(Array.from({ length: lanesMax }, (_, number) => lane(number)))
    await this.recording
    if (this.problem !== null) throw this.problem
  }

  /** While the endpoint fails, one connection has to be enough. */
  private isFree(lane: number): boolean {
    const isFailing = this.endpoint.failingSince !== null
    return this.mayAttempt() && (lane === 0 || !isFailing)
  }

  private mayAttempt(): boolean {
    return this.permission.goesOn() && this.disabledReason === null && this.problem === null
  }

  /** Whether it was received. */
  private async sendOne(delivery: Due): Promise<boolean> {
    const target = await this.findTarget()
    if (target === null || !this.mayAttempt()) return false
    const made = await this.attempt(target, delivery)
    if (made === 'changed') return this.sendOne(delivery)
    this.parts.attempted(made)
    this.judge(made)
    this.tried.push({ delivery, attempt: made })
    this.recording ??= this.recordTried()
    return isReceived(made)
  }

  private async findTarget(): Promise<Target | null> {
    try {
      return await this.permission.target()
    } catch (error) {
      this.problem = error
      return null
    }
  }

  /** Nothing is sent if the endpoint has changed while its name was resolved. */
  private async attempt(target: Target, { eventId, body }: Due): Promise<Attempt | 'changed'> {
    const { url, secrets } = target
    if (secrets.length === 0) return unsigned(eventId)
    if (body === null) return { ...unsigned(eventId), error: 'The event is no longer kept.' }
    const right = async (): Promise<void> => {
      if (!Bun.deepEquals(await this.findTarget(), target)) throw new Changed()
    }
    try {
      return await attempt(this.parts.send, { companyId: this.own.companyId, url, secrets, eventId, body, right })
    } catch (error) {
      if (error instanceof Changed) return 'changed'
      throw error
    }
  }

  /** What comes in while one transaction runs is written by the next. */
  private async recordTried(): Promise<void> {
    try {
      while (this.tried.length > 0) {
        const tried = this.tried
        this.tried = []
        const { endpoint } = this
        await record(this.own, { endpoint, tried, isFailingNews: endpoint.failingSince !== this.storedFailing })
        this.storedFailing = endpoint.failingSince
      }
    } catch (error) {
      this.problem = error
    }
    this.recording = null
  }

  /** The endpoint fails from its first failed attempt until it receives one. */
  private judge(made: Attempt): void {
    const { failingSince } = this.endpoint
    if (isReceived(made)) this.setFailing(null)
    else if (failingSince === null) this.setFailing(timestampText(made.at))
    else if (made.at.getTime() - Date.parse(failingSince) > failingMsMax) this.disabledReason = 'failing'
    if (made.status === 410) this.disabledReason = 'gone'
  }

  private setFailing(failingSince: string | null): void {
    if (this.endpoint.failingSince !== failingSince) this.endpoint = { ...this.endpoint, failingSince }
  }
}
