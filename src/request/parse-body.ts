import { payloadParserOf } from './parse-payload.ts'
import { type BodyLimits, readBody, type Sender } from './read-body.ts'

export type { BodyLimits, Sender }

/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** Reads the body by its content type. */
export function parseBody(http: Request, limits: BodyLimits, sender: Sender): Promise<Payload> {
  return readBody(http, limits, sender, payloadParserOf(http.headers.get('content-type') ?? 'application/json'))
}
