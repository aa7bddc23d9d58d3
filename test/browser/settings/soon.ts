const patienceMs = 60_000
/** A look takes some of the processor, and on a busy machine that is what the page waits for. */
const pauseMs = 40

/** Expects again and again until it is so: a page draws later than it is asked, on a busy machine much later. */
export async function soon(expectation: () => unknown): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      await expectation()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await Bun.sleep(pauseMs)
    }
  }
}
