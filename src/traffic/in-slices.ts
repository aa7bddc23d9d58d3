/** What all long work of this process together may take of one turn of the event loop. */
const sliceMs = 5

/** Those whose work goes on in one of the next turns, one in each. */
const waiting: (() => void)[] = []
let usedMs = 0
let isCounted = false

/**
 * Calls `step` for each item. When this turn of the event loop has had its share of such work, by whomever, the rest waits
 * for a turn of its own. A step itself is not interrupted.
 */
export async function inSlices<Item>(items: Iterable<Item>, step: (item: Item) => void): Promise<void> {
  let from = performance.now()
  for (const item of items) {
    if (usedMs >= sliceMs) {
      await new Promise<void>((resolve) => waiting.push(resolve))
      from = performance.now()
    }
    step(item)
    const until = performance.now()
    count(until - from)
    from = until
  }
}

function count(ms: number): void {
  usedMs += ms
  if (isCounted) return
  isCounted = true
  setImmediate(endTurn)
}

function endTurn(): void {
  usedMs = 0
  isCounted = waiting.length > 1
  if (isCounted) setImmediate(endTurn)
  waiting.shift()?.()
}
