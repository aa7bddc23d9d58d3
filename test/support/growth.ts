/**
 * How many times as long twice as much takes: about 2 where time grows with the input, 4 where it grows with its square.
 * It counts the processor time of this process, so that what else the machine does makes no difference.
 */
export async function growthOf(size: number, work: (size: number) => unknown): Promise<number> {
  const once = await quickestMs(() => work(size))
  const twice = await quickestMs(() => work(size * 2))
  return twice / Math.max(once, shortestMs)
}

const tries = 5
/** Below this, other threads of the process matter more than the work. */
const shortestMs = 1

async function quickestMs(work: () => unknown): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries; at += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    ms = Math.min(ms, (user + system) / 1000)
  }
  return ms
}
