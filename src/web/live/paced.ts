/** Even many changes in a row are shown at most so often. */
const pauseMs = 1_000
/** What takes long to read is read less often. */
const pauseShare = 4

/** Runs at once, and after a pause once more if it was called meanwhile. */
export function paced(run: () => Promise<void>): () => void {
  let isBusy = false
  let isCalled = false
  const work = async () => {
    isBusy = true
    while (isCalled) {
      isCalled = false
      const startedAt = performance.now()
      await run().catch(() => {})
      const pause = Math.max(pauseMs, pauseShare * (performance.now() - startedAt))
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    isBusy = false
  }
  return () => {
    isCalled = true
    if (!isBusy) void work()
  }
}
