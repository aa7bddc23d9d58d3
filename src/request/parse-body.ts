import { payloadParserOf } from './parse-payload.ts'
import type { Payload } from './payload.ts'
import { type BodyLimits, readBody, type Sender } from './read-body.ts'

export type { BodyLimits, Sender }

/** Reads the body by its content type. */
export function parseBody(http: Request, limits: BodyLimits, sender: Sender): Promise<Payload> {
  const parse = payloadParserOf(http.headers.get('content-type') ?? 'application/json')
  return readBody(http, limits, sender, (bytes) => parse(bytes, sender.hold))
}
