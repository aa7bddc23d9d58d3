/** Knows of answers that are waited for. */
export interface Silence {
  /** Something is asked; `ended` when it is answered or has failed. */
  began(): void
  ended(): void
  /** Whether some are waited for, and none has come for too long. */
  lasts(): boolean
  stop(): void
}

/** Tells when answers that are waited for have stopped coming, again and again until one comes. */
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
