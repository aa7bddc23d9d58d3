import { type ApiError, failure } from '../errors/index.ts'
import type { Hold } from './byte-budget.ts'
import { nextTurn } from './next-turn.ts'
import { noteGarbage } from './note-garbage.ts'

/** Fits into the kernel's send buffer of a connection: a larger chunk would wait in our memory. */
export const chunkBytes = 64 * 1024

/** Supplies the parts of a stream. */
export interface Source {
  /** The next part; null at the end. Called when the client has received all of the previous part. */
  next(): Promise<Part | null>
  /** How long a part may be; left out if that is not known. */
  readonly partBytes?: number | undefined
  /** Called once: at the end, when the client has disconnected, or with the error. */
  ended(error?: unknown): void
  /** No more parts are wanted. */
  cancel?(): unknown
}

/** Compresses the chunks of a stream. */
export interface Encoder {
  /** The memory that it needs, however long the stream is. */
  readonly bytes: number
  encode(chunk: Uint8Array): Promise<Uint8Array>
  /** What comes behind the last chunk. */
  end(): Promise<Uint8Array>
  close(): void
}

type Part = string | Uint8Array

/** Memory to hold for the first part, unless its source says how much. Later ones are then expected to be as large as the previous one. */
const firstPartBytes = 256 * 1024
/** What a character of a text takes in memory, at most. */
const characterBytes = 2
const roomWaitMs = 50
const roomWaitsMax = 200

/**
 * Streams a list part by part, with backpressure: memory is held for one part at a time. Resolves when the first part is
 * there: what fails before it is a failure like any other, and not an answer that is cut off.
 */
export async function streamParts(
  source: Source,
  hold: Hold,
  encoder: Encoder | null = null,
): Promise<ReadableStream<Uint8Array>> {
  const encoderBytes = encoder?.bytes ?? 0
  const announced = source.partBytes === undefined ? null : characterBytes * source.partBytes
  let expected = announced ?? firstPartBytes
  if (!hold.tryHold(encoderBytes + expected)) {
    encoder?.close()
    throw refusal(source)
  }
  const next = async (): Promise<Part | null> => {
    // An embedded engine answers synchronously: yield to other requests between two parts.
    await nextTurn()
    hold.hold(encoderBytes)
    if (!(await waitForRoom(hold, encoderBytes + expected))) throw refusal(source)
    const part = await source.next()
    const size = part === null ? 0 : memoryOf(part)
    hold.hold(encoderBytes + size)
    expected = announced ?? size
    return part
  }
  let first: Promise<Part | null> | null = next()
  try {
    await first
  } catch (error) {
    hold.release()
    encoder?.close()
    throw error
  }
  const nextOrFirst = (): Promise<Part | null> => {
    const part = first ?? next()
    first = null
    return part
  }
  return streamChunks({ ...source, next: nextOrFirst }, hold, encoder)
}

/** The memory that a part takes. */
export const memoryOf = (part: Part): number => (typeof part === 'string' ? characterBytes * part.length : part.length)

/** Streams a response that is in memory already, in chunks. Its memory is held until the client has received it. */
export function streamWhole(answer: Part, hold: Hold, encoder: Encoder | null = null): ReadableStream<Uint8Array> {
  let rest: Part | null = answer
  const next = async (): Promise<Part | null> => {
    const found = rest
    rest = null
    return found
  }
  return streamChunks({ next, ended: () => {} }, hold, encoder)
}

/** A list that has started cannot be refused any more, but it can wait until other responses have been sent. */
async function waitForRoom(hold: Hold, bytes: number): Promise<boolean> {
  for (let waits = 0; !hold.tryHold(bytes); waits += 1) {
    if (waits === roomWaitsMax) return false
    await Bun.sleep(roomWaitMs)
  }
  return true
}

/** A source that nobody reads from any more has to know, because a live stream counts as open until then. */
function refusal({ cancel }: Source): ApiError {
  void cancel?.()
  return failure.overloaded()
}

function streamChunks(
  { next, ended, cancel }: Source,
  hold: Hold,
  encoder: Encoder | null,
): ReadableStream<Uint8Array> {
  let part: Part = ''
  let at = 0
  let isEnded = false
  // A client may disconnect while a part is being fetched for it.
  const finish = (error?: unknown): void => {
    hold.release()
    encoder?.close()
    if (!isEnded) ended(error)
    isEnded = true
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (at >= part.length) {
            const found = await next()
            if (isEnded) return
            if (found === null) {
              const tail = encoder && (await encoder.end())
              if (isEnded) return
              if (tail) controller.enqueue(tail)
              controller.close()
              return finish()
            }
            noteGarbage(found.length)
            part = found
            at = 0
          }
          const end = chunkEnd(part, at)
          const chunk = bytesOf(part, at, end)
          at = end
          const encoded = encoder ? await encoder.encode(chunk) : chunk
          if (!isEnded) controller.enqueue(encoded)
        } catch (error) {
          finish(error)
          // The status was sent already, so the response can only be cut off. The cause goes to the log only.
          controller.error(new Error('An answer was cut short.'))
        }
      },
      async cancel() {
        finish()
        await cancel?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Does not split a surrogate pair. */
function chunkEnd(part: Part, at: number): number {
  const end = at + chunkBytes
  if (typeof part !== 'string') return end
  const last = part.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

const utf8 = new TextEncoder()

/** A copy, because a view would keep the whole part in memory. */
const bytesOf = (part: Part, start: number, end: number): Uint8Array =>
  typeof part === 'string' ? utf8.encode(part.slice(start, end)) : part.slice(start, end)
