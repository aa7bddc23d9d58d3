/** Writes what was collected in memory: after a while, when it is asked to, and for the last time. */
export interface Flusher {
  /** Sees to it that something is written after this time at the latest. */
  schedule(delayMs: number): void
  /** One at a time. */
  flush(): Promise<void>
  stop(): Promise<void>
  isFlushing(): boolean
  isStopped(): boolean
}

/** `write` must not fail. */
export function createFlusher(write: () => Promise<void>): Flusher {
  let timer: { readonly due: number; readonly id: ReturnType<typeof setTimeout> } | null = null
  let flushing: Promise<void> | null = null
  let isStopped = false

  async function flush(): Promise<void> {
    while (flushing) await flushing
    if (timer) clearTimeout(timer.id)
    timer = null
    flushing = write().finally(() => {
      flushing = null
    })
    await flushing
  }

  return {
    schedule: (delayMs) => {
      const due = performance.now() + delayMs
      if (isStopped || (timer && timer.due <= due)) return
      if (timer) clearTimeout(timer.id)
      timer = { due, id: setTimeout(flush, delayMs) }
    },
    flush,
    stop: () => {
      isStopped = true
      return flush()
    },
    isFlushing: () => flushing !== null,
    isStopped: () => isStopped,
  }
}
