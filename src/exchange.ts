import type { Caller, Sighting } from './keys/caller.ts'

/** A part of the way of a request, and how long it took. */
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
  /** Those that have ended. */
  readonly stages: Stage[] = []
  private lastAt = this.startedAt

  constructor(
    /** Where the request comes from. Found out only when asked for. */
    readonly address: () => string = () => '',
  ) {}

  /** Ends a stage of the request. */
  mark(name: string): void {
    const now = performance.now()
    this.stages.push({ name, ms: now - this.lastAt })
    this.lastAt = now
  }

  /** Adds what every answer tells of its request, whatever became of it. */
  tell(headers: Headers): void {
    headers.set('X-Request-Id', this.id)
    if (this.stages.length > 0) headers.set('Server-Timing', this.stages.map(timingText).join(', '))
    if (this.caller) headers.set('Project-Api-Scope', scopeText(this.caller))
    for (const name in this.rate) headers.set(name, this.rate[name] ?? '')
  }
}

function timingText({ name, ms }: Stage): string {
  const hundredths = Math.round(ms * 100)
  return `${name};dur=${usualMs[hundredths] ?? hundredths / 100}`
}

function scopeText({ scope }: Caller): string {
  return scope.companyId === null ? `none; reason=${scope.reason}` : 'company'
}
