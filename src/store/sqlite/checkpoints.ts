import type { LogIndex, LogSize } from './log-index.ts'

/** Copies the write-ahead log into the database file: a small log in this thread, as SQLite does by itself, and a large one elsewhere. */
export interface Checkpoints {
  afterCommit(): void
  /** After work in an engine process: it may have written much, or have kept a log from being copied that has become large. */
  afterLongWork(): void
  /** Before a long read. While one or the other always runs, the log cannot be restarted, so they pause where it is too large. */
  makeRoom(): Promise<void>
  close(): void
}

interface Copying {
  readonly log: LogIndex
  /** Copies what it can in this thread, at once. Never throws. */
  here(): void
  /** Copies what it can in another process, and restarts the log if nobody reads it. */
  elsewhere(): Promise<void>
  /** After this time, no read runs any more that was under way before. */
  readMsMax: number
}

/** The number of pages of 4 KB at which SQLite begins by itself. */
const pagesMin = 1000
/** More would keep all requests waiting. */
const herePagesMax = 2 * pagesMin
/** From here on, a restart is tried even if everything is copied. */
const restartPagesMin = 16_384
/** 128 MB. */
const pagesMax = 32_768
/** Between two attempts elsewhere: where a reader is in the way, they achieve nothing. */
const restMs = 1000
const pollMs = 25

export function createCheckpoints({ log, here, elsewhere, readMsMax }: Copying): Checkpoints {
  let isPlanned = false
  let isClosed = false
  let restUntil = 0
  let roomAt = pagesMax

  function plan(): void {
    if (isPlanned || isClosed) return
    isPlanned = true
    setTimeout(run, Math.max(0, restUntil - performance.now())).unref()
  }

  async function run(): Promise<void> {
    // What fails is tried again after the next commit.
    if (isLarge(log.size()) && !isClosed) await elsewhere().catch(() => {})
    restUntil = performance.now() + restMs
    isPlanned = false
  }

  function afterCommit(): void {
    const size = log.size()
    if (isLarge(size)) plan()
    else if (size.uncopied >= pagesMin) here()
  }

  async function makeRoom(): Promise<void> {
    if (log.size().pages < roomAt) return
    const endsAt = performance.now() + readMsMax
    while (log.size().pages >= roomAt && performance.now() < endsAt && !isClosed) {
      plan()
      await Bun.sleep(pollMs)
    }
    // What is still in the way is not ours, such as a backup. The next pause comes when the log has doubled.
    roomAt = Math.max(pagesMax, 2 * log.size().pages)
  }

  return {
    afterCommit,
    afterLongWork: () => {
      if (isLarge(log.size())) plan()
    },
    makeRoom,
    close: () => {
      isClosed = true
    },
  }
}

const isLarge = ({ pages, uncopied }: LogSize): boolean => uncopied >= herePagesMax || pages >= restartPagesMin
