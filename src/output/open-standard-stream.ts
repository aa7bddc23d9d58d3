import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** A file descriptor that never blocks this thread. */
export interface Target {
  /** The maximum size of an atomic write, so that lines of several processes are not mixed. */
  readonly atomicBytes: number
  /** Writes some of the bytes and returns how many. Throws or rejects with EAGAIN if it is full. */
  write(bytes: Uint8Array): number | Promise<number>
}

/** POSIX guarantees it for pipes, Linux for sockets up to 36 KB. Writes to files and terminals are always atomic. */
const atomicBytes = { pipe: 4096, socket: 32 * 1024, other: Number.POSITIVE_INFINITY }

/** The number of its file descriptor. */
const descriptors = { output: 1, error: 2 } as const

export function openStandardStream(name: keyof typeof descriptors): Target {
  const descriptor = descriptors[name]
  const kind = kindOf(descriptor)
  const reopened = kind === 'pipe' ? reopenNonBlocking(descriptor) : null
  return {
    atomicBytes: atomicBytes[kind],
    write: reopened === null ? (bytes) => writeInThread(descriptor, bytes) : (bytes) => writeSync(reopened, bytes),
  }
}

function kindOf(descriptor: number): keyof typeof atomicBytes {
  try {
    const status = fstatSync(descriptor)
    return status.isFIFO() ? 'pipe' : status.isSocket() ? 'socket' : 'other'
  } catch {
    // It is closed; writing will fail.
    return 'other'
  }
}

/** Opens the pipe a second time, so that O_NONBLOCK does not affect other processes that share it. Linux only. */
function reopenNonBlocking(descriptor: number): number | null {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/** The asynchronous `write` blocks a thread of the pool instead of this one. */
function writeInThread(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, null, (error, count) => (error ? reject(error) : resolve(count)))
  })
}
