import type { Coding } from '../coding/choose-coding.ts'
import { failure } from '../errors/index.ts'
import type { EventFeed } from '../events/event-feed.ts'
import type { Live } from '../events/live/create-live.ts'
import type { Exchange } from '../exchange.ts'
import type { Claim } from '../keys/authenticate.ts'
import type { Caller } from '../keys/caller.ts'
import type { Method } from '../methods.ts'
import type { Question } from '../plan/make-plan.ts'
import type { EventActor, Plan } from '../plan/plan.ts'
import type { BodyLimits } from '../request/parse-body.ts'
import type { ApiRequest } from '../request/parse-request.ts'
import type { Payload } from '../request/payload.ts'
import type { Resource } from '../resources/define.ts'
import type { Answer } from '../response/answer.ts'
import type { Outcome } from '../response/outcome.ts'
import type { Asker, Database, Right } from '../store/database.ts'
import type { Result } from '../store/result.ts'
import type { Hold } from '../traffic/byte-budget.ts'

/** Where the rows are, and how much may be sent at once. */
export interface Rows {
  readonly db: Database
  readonly limits: BodyLimits & { readonly rowsMax: number | null }
  /** Told of changes that have made events. */
  readonly feed?: Pick<EventFeed, 'note'> | undefined
  /** Streams changes; left out: there are no live streams. */
  readonly live?: Pick<Live, 'open'> | undefined
}

/** Where a request goes: `/rest/v1/<name>?<queryText>`. */
export interface Address {
  readonly name: string
  readonly queryText: string
}

/** Whose rows a request is about, and on whose behalf. */
export interface Scope {
  /** null where the request is not scoped to a company. */
  readonly companyId: string | null
  /** Of the company's own fields; 0 where it has none. */
  readonly fieldsVersion: number
  /** Who makes the change, for its event; null where the company wants no events. */
  readonly actor: EventActor | null
  /** Asked again after the body has arrived, after waiting, and before each part of a long list. */
  readonly right: Right | undefined
}

const noPayload: Payload = { text: '', single: false, rows: [] }

/** A request for rows on its way. Each stage reads what those before it have found, and adds its own. */
export class Call implements Question, Outcome, Scope, Asker {
  stagesBegun = 0
  /** The credentials that were sent, whose queue the request waits in, and the caller that was found. */
  claim!: Claim
  who = ''
  caller!: Caller
  companyId: string | null = null
  fieldsVersion = 0
  actor: EventActor | null = null
  right: Right | undefined = undefined
  resource!: Resource
  method!: Method
  request!: ApiRequest
  /** Memory for a body that may be large, until the call is answered, and for what a write shows. */
  hold: Hold | null = null
  payload = noPayload
  plan!: Plan
  result!: Result
  /** Where the answer is made with the work itself: one that is kept for an Idempotency-Key, or a live stream. */
  readyAnswer: Answer | null = null
  answer!: Answer

  constructor(
    readonly rows: Rows,
    readonly http: Request,
    readonly address: Address,
    readonly exchange: Exchange,
  ) {}

  /** All of the scope at once, so that no way to the rows forgets a part of it. */
  enter({ companyId, fieldsVersion, actor, right }: Scope): void {
    this.companyId = companyId
    this.fieldsVersion = fieldsVersion
    this.actor = actor
    this.right = right
  }

  takeMemory(bytes: number): void {
    const { bytes: budget } = this.rows.limits
    if (!budget) return
    this.hold ??= budget.hold(this.companyId ?? '')
    if (!this.hold.tryMore(bytes)) throw failure.overloaded()
    if (bytes > 0) this.exchange.hold = this.hold
  }

  coding(): Coding | null {
    return this.exchange.coding()
  }

  get rowsMax(): number | null {
    return this.rows.limits.rowsMax
  }
}
