interface Pending {
  readonly dueAt: number
  expire(): void
}

/** Fails what is not settled in time. All share one timer: they come due in the order in which they began. */
export function createDeadline(ms: number, late: () => Error): <Result>(work: Promise<Result>) => Promise<Result> {
  const pending = new Set<Pending>()
  let isWatched = false

  function watch(delayMs: number): void {
    isWatched = true
    setTimeout(expireDue, delayMs).unref()
  }

  function expireDue(): void {
    isWatched = false
    const now = performance.now()
    for (const one of pending) {
      if (one.dueAt > now) {
        watch(one.dueAt - now)
        return
      }
      pending.delete(one)
      one.expire()
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const one = { dueAt: performance.now() + ms, expire: () => reject(late()) }
      pending.add(one)
      if (!isWatched) watch(ms)
      const settled = () => pending.delete(one)
      work.then(
        (result) => {
          settled()
          resolve(result)
        },
        (error) => {
          settled()
          reject(error)
        },
      )
    })
}
