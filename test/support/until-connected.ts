/** A client of PostgreSQL says this where the server stands still for seconds while it connects. Nothing was done then. */
export const connectionTimeout = 'Connection timeout after'

/** Together longer than a process of a busy machine stands still. */
const triesMax = 5

/** Does it again where the server stood still: not for longer than that, as it may be what is wrong. */
export async function untilConnected<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      const hasTimedOut = [error, cause].some((one) => String(one).includes(connectionTimeout))
      if (!hasTimedOut || tries === triesMax) throw error
    }
  }
}
