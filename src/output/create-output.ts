import { openStandardOutput, type Target } from './standard-output.ts'
import { writeBatch } from './write-batch.ts'

/** Takes text without ever making the caller wait, and writes it later in the same order. */
export interface Output {
  /** Text of whole lines. It is dropped and counted if there is no room for it. */
  write(text: string): void
  /** Resolves when everything is written, when it cannot be written, or after a second. */
  flush(): Promise<void>
}

/** Text waits this long at most before it is written, so that many lines share one write. */
const gatherMs = 50
const batchLength = 64 * 1024
const waitingBytesMax = 8 * 1024 * 1024
const flushMsMax = 1000

/**
 * Standard output. Nothing that its reader does, or fails to do, can stop the process.
 * Dropped lines are replaced by one that `describeDropped` makes of their number.
 */
export function createOutput(
  describeDropped: (lines: number) => string,
  target: Target = openStandardOutput(),
): Output {
  /** Closed batches, then the text that still gathers. `waitingBytes` counts both. */
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
    // Once something was dropped, so is what follows, until the gap is described: lines keep their order.
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
