import { failure } from '../errors/index.ts'
import type { Hold } from './byte-budget.ts'

/** What fits into the buffer of a connection in the kernel: more than this would wait in our memory. */
export const chunkBytes = 64 * 1024

/** Where a stream takes its parts from. */
export interface Source {
  /** The next part; null at the end. Asked for when the client has taken all of the part before. */
  next(): Promise<Part | null>
  /** Told once: at the end, when the client has gone, or with what went wrong. */
  ended(error?: unknown): void
  /** The client has gone. */
  cancel?(): unknown
}

type Part = string | Uint8Array

/** A part of a list before the size of one is known. */
const firstPartBytes = 256 * 1024
const roomWaitMs = 50
const roomWaitsMax = 200

/** Parts of a list, fetched as fast as the client takes them and no faster. Memory is held for one part at a time. */
export function streamParts(source: Source, hold: Hold): ReadableStream<Uint8Array> {
  if (!hold.tryHold(firstPartBytes)) throw failure.overloaded()
  let expected = firstPartBytes
  const next = async (): Promise<Part | null> => {
    // An embedded engine answers without waiting: let others have their turn between two parts.
    await new Promise((resolve) => setImmediate(resolve))
    hold.hold(0)
    await waitForRoom(hold, expected)
    const part = await source.next()
    hold.hold(part?.length ?? 0)
    expected = part?.length ?? 0
    return part
  }
  return streamChunks({ ...source, next }, hold)
}

/** An answer that is in memory, in chunks: what the client does not take stays with us, and is held until it does. */
export function streamWhole(answer: Part, hold: Hold): ReadableStream<Uint8Array> {
  let rest: Part | null = answer
  const next = async (): Promise<Part | null> => {
    const found = rest
    rest = null
    return found
  }
  return streamChunks({ next, ended: () => {} }, hold)
}

/** A list that has begun cannot be refused any more, but it can wait for others to be read. */
async function waitForRoom(hold: Hold, bytes: number): Promise<void> {
  for (let waits = 0; !hold.tryHold(bytes); waits += 1) {
    if (waits === roomWaitsMax) throw failure.overloaded()
    await Bun.sleep(roomWaitMs)
  }
}

function streamChunks({ next, ended, cancel }: Source, hold: Hold): ReadableStream<Uint8Array> {
  let part: Part = ''
  let at = 0
  let isEnded = false
  // A client may leave while a part is fetched for it, which then finds nobody there.
  const finish = (error?: unknown): void => {
    hold.release()
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
              controller.close()
              return finish()
            }
            part = found
            at = 0
          }
          const end = chunkEnd(part, at)
          controller.enqueue(bytesOf(part, at, end))
          at = end
        } catch (error) {
          finish(error)
          // The status is sent already: all that is left is to cut the answer short. Only the log is told why: the runtime prints this.
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

/** Two halves of one character stay together. */
function chunkEnd(part: Part, at: number): number {
  const end = at + chunkBytes
  if (typeof part !== 'string') return end
  const last = part.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

const utf8 = new TextEncoder()

/** A copy, because a view of it would keep the whole part in memory. */
const bytesOf = (part: Part, start: number, end: number): Uint8Array =>
  typeof part === 'string' ? utf8.encode(part.slice(start, end)) : part.slice(start, end)
