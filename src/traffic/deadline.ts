interface Pending {
  readonly dueAt: number
  reject(error: Error): void
}

/** Resolves to `read(found)`, or fails after `ms` milliseconds. `settled` is called when the work ends, even if late. */
export type InTime = <Found, Result>(
  work: Promise<Found>,
  ms: number,
  read: (found: Found) => Result | Promise<Result>,
  settled: () => void,
) => Promise<Result>

/** All deadlines share one timer, because almost none ever expires. `explain` translates the work's own errors. */
export function createDeadline(late: () => Error, explain = (error: unknown) => error): InTime {
  // Array slots are reused: every statement and every body takes one, and a Set would cost more.
  const slots: (Pending | null)[] = []
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
    for (const [at, one] of slots.entries()) {
      if (one === null) continue
      if (one.dueAt > now) watch(one.dueAt)
      else {
        leave(at, one)
        one.reject(late())
      }
    }
  }

  function leave(at: number, one: Pending): void {
    if (slots[at] !== one) return
    slots[at] = null
    free.push(at)
  }

  return (work, ms, read, settled) =>
    new Promise((resolve, reject) => {
      const one: Pending = { dueAt: performance.now() + ms, reject }
      const at = free.pop() ?? slots.length
      slots[at] = one
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
