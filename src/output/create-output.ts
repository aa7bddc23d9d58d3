import { openStandardStream, type Target } from './open-standard-stream.ts'
import { writeBatch } from './write-batch.ts'

/** Buffers text, so that the caller never waits, and writes it later in the same order. */
export interface Output {
  /** Whole lines. They are dropped and counted if the buffer is full. */
  write(text: string): void
  /** Resolves when everything is written, when it cannot be written, or after a second. */
  flush(): Promise<void>
}

/** Text is written after this time at the latest, so that many lines share one write. */
const gatherMs = 50
const batchLength = 64 * 1024
const waitingBytesMax = 8 * 1024 * 1024
const flushMsMax = 1000

/**
 * Standard output. A slow or missing reader cannot block the process.
 * Dropped lines are replaced by one line from `describeDropped`.
 */
export function createOutput(
  describeDropped: (lines: number) => string,
  target: Target = openStandardStream('output'),
): Output {
  /** Complete batches, followed by `gathered`. `waitingBytes` counts both. */
  const batches: Buffer[] = []
  let gathered = ''
  let waitingBytes = 0
  let dropped = 0
  let isGathering = false
  let writing: Promise<void> | null = null
  let isFlushing = false

  function add(text: string): void {
    const bytes = Buffer.byteLength(text)
    const fits = waitingBytes === 0 || waitingBytes + bytes <= waitingBytesMax
    // After a drop, all further lines are dropped until the gap is described, so that the order is kept.
    if (fits && dropped === 0) append(text, bytes)
    else dropped += countLines(text)
  }

  function append(text: string, bytes: number): void {
    waitingBytes += bytes
    gathered += text
    if (gathered.length < batchLength) gather()
    else startWriting()
  }

  function gather(): void {
    if (isGathering) return
    isGathering = true
    setTimeout(() => {
      isGathering = false
      if (!writing) startWriting()
    }, gatherMs)
  }

  function startWriting(): void {
    if (gathered !== '') batches.push(Buffer.from(gathered))
    gathered = ''
    if (batches.length > 0) writing ??= writeBatches().then(doneWriting)
  }

  async function writeBatches(): Promise<void> {
    for (let batch = batches[0]; batch; batch = batches[0]) {
      if (!(await writeBatch(target, batch, () => isFlushing))) return
      batches.shift()
      waitingBytes -= batch.length
      describeGap()
    }
  }

  function describeGap(): void {
    if (dropped === 0) return
    const text = describeDropped(dropped)
    dropped = 0
    append(text, Buffer.byteLength(text))
  }

  function doneWriting(): void {
    writing = null
    if (gathered !== '') gather()
  }

  async function writeRest(): Promise<void> {
    await writing
    describeGap()
    startWriting()
    await writing
  }

  return {
    write: add,
    flush: async () => {
      isFlushing = true
      await Promise.race([writeRest(), Bun.sleep(flushMsMax)])
      isFlushing = false
    },
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
