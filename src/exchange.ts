import type { Caller, Sighting } from './keys/caller.ts'

export interface Stage {
  readonly name: string
  readonly ms: number
}

/** The texts of short times: to make them takes as long as many a stage. */
const usualMs = Array.from({ length: 1000 }, (_, hundredths) => String(hundredths / 100))

/** One request and what is known of it so far: for the headers of every answer, and for its line in the log. */
export class Exchange implements Sighting {
  readonly id: string = Bun.randomUUIDv7()
  readonly startedAt: number = performance.now()
  caller: Caller | null = null
  ended: Sighting['ended'] = null
  keyStart: Sighting['keyStart'] = null
  route = 'unknown'
  /** How many requests the caller has left, where there is a limit. */
  rate: Readonly<Record<string, string>> | null = null
  private lastAt = this.startedAt
  private timings = ''

  constructor(
    /** Where the request comes from. Found out only when asked for. */
    readonly address: () => string = () => '',
  ) {}

  /** Ends a stage of the request. */
  mark(stage: string): void {
    const now = performance.now()
    const hundredths = Math.round((now - this.lastAt) * 100)
    this.timings += `${this.timings && ', '}${stage};dur=${usualMs[hundredths] ?? hundredths / 100}`
    this.lastAt = now
  }

  /** The stages that have ended, each with the milliseconds that it took. */
  stages(): readonly Stage[] {
    // From the text, which every request has: a list would cost those too that nobody asks for it.
    return [...this.timings.matchAll(/(\w+);dur=([\d.e-]+)/g)].map(([, name = '', ms]) => ({ name, ms: Number(ms) }))
  }

  /** What every answer carries, whatever became of the request. */
  headers(): Record<string, string> {
    const headers: Record<string, string> = {
      'X-Request-Id': this.id,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-cache',
    }
    if (this.timings !== '') headers['Server-Timing'] = this.timings
    if (this.caller) headers['Project-Api-Scope'] = scopeText(this.caller)
    return this.rate ? Object.assign(headers, this.rate) : headers
  }
}

function scopeText({ scope }: Caller): string {
  return scope.companyId === null ? `none; reason=${scope.reason}` : 'company'
}
