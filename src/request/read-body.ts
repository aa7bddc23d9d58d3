import { failure } from '../errors.ts'
import type { ByteBudget, Hold } from '../traffic/byte-budget.ts'
import { createDeadline } from '../traffic/deadline.ts'

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly idleTimeoutS: number
  /** Left out: bodies count for nothing. */
  readonly bytes?: ByteBudget
}

/** Whose body it is, and since when it has been on its way. */
export interface Sender {
  readonly arrivedAt: number
  readonly hold: Hold | null
}

/** Up to this size, a body is read in one go; of a larger one, what has arrived is counted. */
const smallBytes = 64 * 1024
/** The rate below which the runtime takes a sender for idle. */
const bytesPerMsMin = 16

/** Reads a body, never more of it than the limit, and for no longer than it may take since its headers arrived. */
export function readBody<Result>(
  http: Request,
  { bodyBytesMax, idleTimeoutS }: BodyLimits,
  { arrivedAt, hold }: Sender,
  parse: (bytes: Uint8Array) => Result | Promise<Result>,
): Promise<Result> {
  const header = http.headers.get('content-length')
  const declared = header === null ? null : Number(header)
  if (declared !== null && declared > bodyBytesMax) throw failure.bodyTooLarge(bodyBytesMax)
  // The runtime closes a connection without a word after the idle time; half of it leaves time to say why.
  const timeMs = idleTimeoutS * 500 + (declared ?? bodyBytesMax) / bytesPerMsMin
  const leftMs = Math.max(1, timeMs - (performance.now() - arrivedAt))
  if (http.body === null || (declared !== null && declared <= smallBytes)) {
    if (hold && !hold.tryHold(declared ?? 0)) throw failure.overloaded()
    return inTime(http.bytes(), leftMs, parse, hold ? () => hold.release() : nothing)
  }
  return inTime(readChunks(http.body, bodyBytesMax, hold), leftMs, parse, nothing)
}

const nothing = (): void => {}

/** Whoever closed the connection, the rest of the body will not come. */
const inTime = createDeadline(failure.bodyLate, (error) =>
  error instanceof Error && error.name === 'AbortError' ? failure.bodyLate() : error,
)

async function readChunks(body: ReadableStream<Uint8Array>, bytesMax: number, hold: Hold | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > bytesMax) throw failure.bodyTooLarge(bytesMax)
    if (hold && !hold.tryHold(size)) throw failure.overloaded()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
