import { failure } from '../errors.ts'
import { createDeadline } from '../traffic/deadline.ts'
import { payloadParserOf } from './parse-payload.ts'

/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly idleTimeoutS: number
}

/** Reads the body by its content type, never more of it than the limit, and for no longer than it may take. */
export function parseBody(http: Request, { bodyBytesMax, idleTimeoutS }: BodyLimits): Promise<Payload> {
  const parse = payloadParserOf(http.headers.get('content-type') ?? 'application/json')
  const declared = http.headers.get('content-length')
  if (Number(declared) > bodyBytesMax) throw failure.bodyTooLarge(bodyBytesMax)
  const reading = declared !== null || http.body === null ? http.bytes() : readChunks(http.body, bodyBytesMax)
  // The runtime closes a connection without a word after the idle time; half of it leaves time to say why.
  const timeMs = idleTimeoutS * 500 + Number(declared ?? bodyBytesMax) / bytesPerMsMin
  return inTime(reading, timeMs, parse, () => {})
}

/** The rate below which the runtime takes a sender for idle. */
const bytesPerMsMin = 16

/** Whoever closed the connection, the rest of the body will not come. */
const inTime = createDeadline(failure.bodyLate, (error) =>
  error instanceof Error && error.name === 'AbortError' ? failure.bodyLate() : error,
)

async function readChunks(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > bytesMax) throw failure.bodyTooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
