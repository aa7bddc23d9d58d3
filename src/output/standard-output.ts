import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** A place to write to that never blocks this thread. */
export interface Target {
  /** The most bytes in one write that stay together, whoever else writes there: lines of several processes must not mix. */
  readonly atomicBytes: number
  /** Writes some of the bytes and tells how many. Throws or rejects with EAGAIN where there is no room at present. */
  write(bytes: Uint8Array): number | Promise<number>
}

/** POSIX promises it of pipes; Linux does so of sockets, up to 36 KB. Files and terminals take any write as a whole. */
const atomicBytes = { pipe: 4096, socket: 32 * 1024, other: Number.POSITIVE_INFINITY }

export function openStandardOutput(): Target {
  const kind = kindOfStandardOutput()
  const descriptor = kind === 'pipe' ? reopenNonBlocking() : null
  return {
    atomicBytes: atomicBytes[kind],
    write: descriptor === null ? writeInThread : (bytes) => writeSync(descriptor, bytes),
  }
}

function kindOfStandardOutput(): keyof typeof atomicBytes {
  try {
    const status = fstatSync(1)
    return status.isFIFO() ? 'pipe' : status.isSocket() ? 'socket' : 'other'
  } catch {
    // It is closed, and writing will say so.
    return 'other'
  }
}

/** The same pipe, opened once more: whoever else uses it keeps waiting where it is full, as they expect. Linux only. */
function reopenNonBlocking(): number | null {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/** Another thread waits for what this one must not wait for. */
function writeInThread(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(1, bytes, 0, bytes.length, null, (error, count) => (error ? reject(error) : resolve(count)))
  })
}
