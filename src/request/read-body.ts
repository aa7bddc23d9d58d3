import type { Coding } from '../coding/choose-coding.ts'
import { type InflateLimits, inflate, parseContentEncoding } from '../coding/inflate.ts'
import { failure } from '../errors/index.ts'
import type { ByteBudget, Hold } from '../traffic/byte-budget.ts'
import { createDeadline } from '../traffic/deadline.ts'

export interface BodyLimits {
  readonly bodyBytesMax: number
  readonly idleTimeoutS: number
  /** Left out: bodies count for nothing. */
  readonly bytes?: ByteBudget
}

/** Since when a body has been on its way, and what counts the memory that it takes. */
export interface Sender {
  readonly arrivedAt: number
  readonly hold: Hold | null
}

/** What is counted costs time: a body up to this size takes no more memory than the connection that brings it. */
const uncountedBytes = 4096

/** Whether a body may be so large that its memory has to be counted. */
export function isCounted(headers: Headers): boolean {
  const declared = declaredBytes(headers)
  return declared === null || !(declared <= uncountedBytes) || headers.has('content-encoding')
}

function declaredBytes(headers: Headers): number | null {
  const header = headers.get('content-length')
  return header === null ? null : Number(header)
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
  const coding = parseContentEncoding(http.headers.get('content-encoding'))
  const declared = declaredBytes(http.headers)
  if (declared !== null && declared > bodyBytesMax) throw failure.bodyTooLarge(bodyBytesMax)
  // The runtime closes a connection without a word after the idle time; half of it leaves time to say why.
  const timeMs = idleTimeoutS * 500 + (declared ?? bodyBytesMax) / bytesPerMsMin
  const leftMs = Math.max(1, timeMs - (performance.now() - arrivedAt))
  const read = coding === null ? parse : inflating(coding, { bytesMax: bodyBytesMax, hold }, parse)
  // In this order: to ask for the body makes a stream of it.
  if ((declared !== null && declared <= smallBytes) || http.body === null) {
    if (hold && !hold.tryHold(declared ?? 0)) throw failure.overloaded()
    // What comes out of a body that is compressed may be large, so that the hold is still needed.
    return inTime(http.bytes(), leftMs, read, hold && coding === null ? () => hold.hold(0) : nothing)
  }
  return inTime(readChunks(http.body, bodyBytesMax, hold), leftMs, read, nothing)
}

const inflating =
  <Result>(coding: Coding, limits: InflateLimits, parse: (bytes: Uint8Array) => Result | Promise<Result>) =>
  async (bytes: Uint8Array): Promise<Result> =>
    parse(await inflate(coding, bytes, limits))

const nothing = (): void => {}

/** Whoever closed the connection, the rest of the body will not come. */
const inTime = createDeadline(failure.bodyLate, (error) =>
  error instanceof Error && error.name === 'AbortError' ? failure.bodyLate() : error,
)

/** So many chunks become one: of a body that comes byte by byte, each would take a hundred times its byte. */
const joinedChunks = 1024

async function readChunks(body: ReadableStream<Uint8Array>, bytesMax: number, hold: Hold | null): Promise<Uint8Array> {
  const joined: Uint8Array[] = []
  let chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > bytesMax) throw failure.bodyTooLarge(bytesMax)
    if (size > uncountedBytes && hold && !hold.tryHold(size)) throw failure.overloaded()
    chunks.push(chunk)
    if (chunks.length < joinedChunks) continue
    joined.push(Buffer.concat(chunks))
    chunks = []
  }
  return Buffer.concat([...joined, ...chunks])
}
