import { type Coding, chooseCoding } from './coding/choose-coding.ts'
import type { Caller, Sighting } from './keys/caller.ts'
import type { Hold } from './traffic/byte-budget.ts'
import { clientAddress, networkOf, type Peer } from './traffic/client-address.ts'

/** The parts of the path of a request whose times are taken, in order. */
export const stageNames = ['auth', 'parse', 'plan', 'store', 'respond'] as const

/** One of them, and how long it took. */
export interface Stage {
  readonly name: string
  readonly ms: number
}

const timingText = (stage: string, hundredths: number): string => `${stage};dur=${hundredths / 100}`

/** `auth;dur=0.12` for each time under two milliseconds: to format one takes as long as some stages. */
const usualTimings = stageNames.map((stage) =>
  Array.from({ length: 200 }, (_, hundredths) => timingText(stage, hundredths)),
)

export const strangerLanes = 8

/** For so long, a right that was confirmed counts as confirmed. */
const confirmedMs = 1000

/** One request and what is known of it so far: for the headers of every answer, and for its line in the log. */
export class Exchange implements Sighting {
  readonly id: string = Bun.randomUUIDv7()
  readonly startedAt: number = performance.now()
  caller: Caller | null = null
  /** Whose rows are asked for: a credential's company, or the one of a signed-in person. */
  companyId: string | null = null
  /** Who is signed in, in a company or in none. */
  personId: string | null = null
  ended: Sighting['ended'] = null
  keyStart: Sighting['keyStart'] = null
  route = 'unknown'
  /** How many requests the caller has left, where there is a limit. */
  rate: Readonly<Record<string, string>> | null = null
  /** Memory that was counted for the answer before it was made; null: none was. */
  hold: Hold | null = null
  /** When each of the timed stages has ended. */
  readonly stageEnds: number[] = []

  constructor(
    private readonly http: Request | null = null,
    private readonly peer: Peer = () => '',
    private readonly trustedProxies = 0,
    private readonly compresses = false,
  ) {}

  private sender: string | null = null

  /** Where the request comes from. Kept, because the runtime no longer knows it once an answer has begun. */
  address(): string {
    this.sender ??= this.http ? clientAddress(this.http.headers, this.peer(this.http), this.trustedProxies) : ''
    return this.sender
  }

  /** How the client wants a long answer to be compressed; null: not at all. */
  coding(): Coding | null {
    return this.http && this.compresses ? chooseCoding(this.http.headers.get('accept-encoding')) : null
  }

  /** The network of one whom nobody knows yet. */
  network(): string {
    return networkOf(this.address())
  }

  /**
   * Whose share of common resources the request uses: that of its company, that of a person who has none, or one of a few
   * for unknown senders.
   */
  lane(): string {
    // A few lanes for all networks: whoever has thousands of addresses must not get as many shares.
    return this.companyId ?? this.personId ?? `strangers ${Bun.hash.crc32(this.network()) % strangerLanes}`
  }

  /** Whether a company was opened, or why none was; null where nobody is known. */
  scope(): string | null {
    if (this.caller === null) return null
    const { scope } = this.caller
    return scope.companyId === null ? `none; reason=${scope.reason}` : 'company'
  }

  /** Whether a right that was there at the beginning may have ended since. */
  hasTakenLong(): boolean {
    return performance.now() - this.startedAt > confirmedMs
  }

  /** Ends the next of the timed stages. */
  mark(): void {
    this.stageEnds.push(performance.now())
  }

  /** The stages that have ended. */
  stages(): readonly Stage[] {
    return this.stageEnds.map((_, at) => ({ name: stageNames[at] ?? '', ms: this.hundredthsOf(at) / 100 }))
  }

  private hundredthsOf(at: number): number {
    return Math.round(((this.stageEnds[at] ?? 0) - (this.stageEnds[at - 1] ?? this.startedAt)) * 100)
  }

  private timings(): string {
    let text = ''
    for (let at = 0; at < this.stageEnds.length; at += 1) {
      const hundredths = this.hundredthsOf(at)
      const timing = usualTimings[at]?.[hundredths] ?? timingText(stageNames[at] ?? '', hundredths)
      text = text === '' ? timing : `${text}, ${timing}`
    }
    return text
  }

  /** Adds what differs from one request to the next, whatever became of them. */
  writeHeaders(headers: Headers): void {
    headers.set('X-Request-Id', this.id)
    if (this.stageEnds.length > 0) headers.set('Server-Timing', this.timings())
    for (const name in this.rate) headers.set(name, this.rate[name] ?? '')
  }
}
