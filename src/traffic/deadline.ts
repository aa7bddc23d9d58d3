interface Pending {
  readonly dueAt: number
  reject(error: Error): void
}

/** `read` of what is found, or a failure where nothing is within so many milliseconds. `settled` is told, however late. */
export type InTime = <Found, Result>(
  work: Promise<Found>,
  ms: number,
  read: (found: Found) => Result | Promise<Result>,
  settled: () => void,
) => Promise<Result>

/** All share one timer, because almost nothing is ever late. What fails by itself does so as `explain` says. */
export function createDeadline(late: () => Error, explain = (error: unknown) => error): InTime {
  // Places that are used again: every statement and every body takes one, and a set would cost more.
  const places: (Pending | null)[] = []
  const free: number[] = []
  let watched: { readonly dueAt: number; readonly timer: ReturnType<typeof setTimeout> } | null = null

  function watch(dueAt: number): void {
    if (watched && watched.dueAt <= dueAt) return
    if (watched) clearTimeout(watched.timer)
    watched = { dueAt, timer: setTimeout(expireDue, Math.max(1, dueAt - performance.now())).unref() }
  }

  function expireDue(): void {
    watched = null
    const now = performance.now()
    for (const [at, one] of places.entries()) {
      if (one === null) continue
      if (one.dueAt > now) watch(one.dueAt)
      else {
        leave(at, one)
        one.reject(late())
      }
    }
  }

  function leave(at: number, one: Pending): void {
    if (places[at] !== one) return
    places[at] = null
    free.push(at)
  }

  return (work, ms, read, settled) =>
    new Promise((resolve, reject) => {
      const one: Pending = { dueAt: performance.now() + ms, reject }
      const at = free.pop() ?? places.length
      places[at] = one
      watch(one.dueAt)
      work.then(
        (found) => {
          leave(at, one)
          settled()
          try {
            resolve(read(found))
          } catch (error) {
            reject(error)
          }
        },
        (error) => {
          leave(at, one)
          settled()
          reject(explain(error))
        },
      )
    })
}
