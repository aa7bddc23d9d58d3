import type { Caller, Sighting } from './keys/caller.ts'
import { memoizeText } from './memoize.ts'
import { clientAddress, networkOf, type Peer } from './traffic/client-address.ts'

/** A part of the way of a request, and how long it took. */
export interface Stage {
  readonly name: string
  readonly ms: number
}

/** `auth;dur=0.12` for each time under two milliseconds: to make such a text takes as long as many a stage. */
const usualTimings = memoizeText((stage) =>
  Array.from({ length: 200 }, (_, hundredths) => timingText(stage, hundredths)),
)

const timingText = (stage: string, hundredths: number): string => `${stage};dur=${hundredths / 100}`

const strangerLanes = 8

/** One request and what is known of it so far: for the headers of every answer, and for its line in the log. */
export class Exchange implements Sighting {
  readonly id: string = Bun.randomUUIDv7()
  readonly startedAt: number = performance.now()
  caller: Caller | null = null
  /** Whose rows are asked for: a credential's company, or the one of a signed-in person. */
  companyId: string | null = null
  ended: Sighting['ended'] = null
  keyStart: Sighting['keyStart'] = null
  route = 'unknown'
  /** How many requests the caller has left, where there is a limit. */
  rate: Readonly<Record<string, string>> | null = null
  private lastAt = this.startedAt
  private timings = ''

  constructor(
    private readonly http: Request | null = null,
    private readonly peer: Peer = () => '',
    private readonly trustedProxies = 0,
  ) {}

  /** Where the request comes from. */
  address(): string {
    return this.http ? clientAddress(this.http.headers, this.peer(this.http), this.trustedProxies) : ''
  }

  /** The network of one whom nobody knows yet. */
  network(): string {
    return networkOf(this.address())
  }

  /** As whose the request uses what is shared: its company's, or as one of the strangers. */
  lane(): string {
    // A few lanes for all networks: whoever has thousands of addresses must not get as many shares.
    return this.companyId ?? `strangers ${Bun.hash.crc32(this.network()) % strangerLanes}`
  }

  /** Ends a stage of the request. */
  mark(stage: string): void {
    const now = performance.now()
    const hundredths = Math.round((now - this.lastAt) * 100)
    const timing = usualTimings(stage)[hundredths] ?? timingText(stage, hundredths)
    this.timings = this.timings === '' ? timing : `${this.timings}, ${timing}`
    this.lastAt = now
  }

  /** The stages that have ended. */
  stages(): readonly Stage[] {
    // From the text, which every request has: a list would cost those too that nobody asks for it.
    return [...this.timings.matchAll(/(\w+);dur=([\d.e-]+)/g)].map(([, name = '', ms]) => ({ name, ms: Number(ms) }))
  }

  /** Adds what every answer tells of its request, whatever became of it. */
  writeHeaders(headers: Headers): void {
    headers.set('X-Request-Id', this.id)
    if (this.timings !== '') headers.set('Server-Timing', this.timings)
    if (this.caller) headers.set('Project-Api-Scope', scopeText(this.caller))
    for (const name in this.rate) headers.set(name, this.rate[name] ?? '')
  }
}

function scopeText({ scope }: Caller): string {
  return scope.companyId === null ? `none; reason=${scope.reason}` : 'company'
}
