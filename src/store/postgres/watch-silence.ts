/** Tracks statements that have not been answered yet. */
export interface Silence {
  /** A statement was sent; `ended`: it was answered, or has failed. */
  began(): void
  ended(): void
  /** Whether statements are pending, and none has been answered for `patienceMs`. */
  lasts(): boolean
  stop(): void
}

/** Calls `alarm` while statements are pending and none is answered, repeatedly until one is. */
export function watchSilence(patienceMs: number, alarm: () => Promise<void>): Silence {
  let waiting = 0
  let since = 0
  let isAlarmed = false
  const lasts = (): boolean => waiting > 0 && performance.now() - since > patienceMs
  const timer = setInterval(() => {
    if (isAlarmed || !lasts()) return
    isAlarmed = true
    void alarm().finally(() => {
      isAlarmed = false
    })
  }, patienceMs / 2)
  timer.unref()

  return {
    began: () => {
      if (waiting === 0) since = performance.now()
      waiting += 1
    },
    ended: () => {
      waiting -= 1
      since = performance.now()
    },
    lasts,
    stop: () => clearInterval(timer),
  }
}
