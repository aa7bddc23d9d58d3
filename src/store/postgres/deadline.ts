interface Pending {
  readonly dueAt: number
  expire(): void
}

/** Fails what is not settled within so many milliseconds. `settled` is told when it is, however late. */
export type InTime = <Result>(work: Promise<Result>, ms: number, settled: () => void) => Promise<Result>

/** All share one timer, because almost nothing is ever late. */
export function createDeadline(late: () => Error): InTime {
  const pending = new Set<Pending>()
  let watched: { readonly dueAt: number; readonly timer: ReturnType<typeof setTimeout> } | null = null

  function watch(dueAt: number): void {
    if (watched && watched.dueAt <= dueAt) return
    if (watched) clearTimeout(watched.timer)
    watched = { dueAt, timer: setTimeout(expireDue, Math.max(1, dueAt - performance.now())).unref() }
  }

  function expireDue(): void {
    watched = null
    const now = performance.now()
    for (const one of pending) {
      if (one.dueAt <= now) {
        pending.delete(one)
        one.expire()
      } else watch(one.dueAt)
    }
  }

  return (work, ms, settled) =>
    new Promise((resolve, reject) => {
      const one = { dueAt: performance.now() + ms, expire: () => reject(late()) }
      pending.add(one)
      watch(one.dueAt)
      work.then(
        (result) => {
          pending.delete(one)
          settled()
          resolve(result)
        },
        (error) => {
          pending.delete(one)
          settled()
          reject(error)
        },
      )
    })
}
