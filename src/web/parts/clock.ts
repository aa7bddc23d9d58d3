const tickMs = 15_000
const freshMs = 1000

let present = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The present, to a second. It stands still in between, so that all that is rendered together agrees. */
export function now(): number {
  const actual = Date.now()
  if (Math.abs(actual - present) >= freshMs) present = actual
  return present
}

/** Calls the listener whenever what is on the screen has become old. */
export function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(tick, tickMs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

function tick(): void {
  for (const listener of listeners) listener()
}
