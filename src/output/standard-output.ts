import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** A place to write to that never blocks this thread. */
export interface Target {
  /** The most bytes in one write that stay together, whoever else writes there: lines of several processes must not mix. */
  readonly atomicBytes: number
  /** Writes some of the bytes and tells how many. Throws or rejects with EAGAIN where there is no room at present. */
  write(bytes: Uint8Array): number | Promise<number>
}

/** POSIX promises it of pipes. Files and sockets take any write as a whole. */
const pipeAtomicBytes = 4096

export function openStandardOutput(): Target {
  if (!isPipe()) return { atomicBytes: Number.POSITIVE_INFINITY, write: writeInThread }
  const descriptor = reopenNonBlocking()
  if (descriptor === null) return { atomicBytes: pipeAtomicBytes, write: writeInThread }
  return { atomicBytes: pipeAtomicBytes, write: (bytes) => writeSync(descriptor, bytes) }
}

function isPipe(): boolean {
  try {
    return fstatSync(1).isFIFO()
  } catch {
    return false
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
