import type { Target } from './open-standard-stream.ts'

/** Exponential backoff while a pipe is full. */
const fullPauseMs = { first: 1, most: 64 }
/** A full disk or a lost reader takes longer to recover. */
const failedPauseMs = 1000

/** Retries until all lines are written. Returns false if a write fails while `isHurried` is true. */
export async function writeBatch(target: Target, batch: Buffer, isHurried: () => boolean): Promise<boolean> {
  for (let at = 0; at < batch.length; ) {
    const end = endOfPiece(batch, at, target.atomicBytes)
    if (!(await writePiece(target, batch.subarray(at, end), isHurried))) return false
    at = end
  }
  return true
}

/** The end of the last line that fits into one atomic write; a line that is longer than that is a piece by itself. */
function endOfPiece(bytes: Buffer, start: number, atomicBytes: number): number {
  if (bytes.length - start <= atomicBytes) return bytes.length
  const end = bytes.lastIndexOf(10, start + atomicBytes - 1) + 1
  return end > start ? end : bytes.indexOf(10, start) + 1 || bytes.length
}

async function writePiece(target: Target, piece: Buffer, isHurried: () => boolean): Promise<boolean> {
  let pauseMs: number = fullPauseMs.first
  for (let at = 0; at < piece.length; ) {
    const outcome = await writeSome(target, piece.subarray(at))
    if (outcome === 'failed') {
      if (isHurried()) return false
      await Bun.sleep(failedPauseMs)
    } else if (outcome === 'full') {
      await Bun.sleep(pauseMs)
      pauseMs = Math.min(pauseMs * 2, fullPauseMs.most)
    } else {
      at += outcome
      pauseMs = fullPauseMs.first
    }
  }
  return true
}

/** How many bytes were written, or why none were. */
async function writeSome(target: Target, bytes: Uint8Array): Promise<number | 'full' | 'failed'> {
  try {
    return (await target.write(bytes)) || 'full'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'full' : 'failed'
  }
}
