import { payloadParserOf } from './parse-payload.ts'
import { type BodyLimits, readBody, type Sender } from './read-body.ts'

export type { BodyLimits }

/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Reads the body by its content type. Whoever sends none along has the time from now on, and shares memory with all such. */
export function parseBody(http: Request, limits: BodyLimits, sender?: Sender): Promise<Payload> {
  const parse = payloadParserOf(http.headers.get('content-type') ?? 'application/json')
  if (sender) return readBody(http, limits, sender, parse)
  const hold = limits.bytes?.hold('people') ?? null
  return readBody(http, limits, { arrivedAt: performance.now(), hold }, parse).finally(() => hold?.release())
}
