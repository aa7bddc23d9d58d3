/**
 * How many times as long twice as much takes: about 2 where time grows with the input, 4 where it grows with its square.
 * It counts the processor time of this process, so that what else the machine does makes no difference.
 */
export async function growthOf(size: number, work: (size: number) => unknown): Promise<number> {
  const once = await quickestMs(() => work(size))
  const twice = await quickestMs(() => work(size * 2))
  return twice / Math.max(once, shortestMs)
}

/** What any call may take, however short its work is. */
const constantMs = 20

/** Whether the second piece of work, which has twice as much to do, takes at most three times as long as the first. */
export function growsInLine(half: () => void, whole: () => void): boolean {
  let [halfMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let at = 0; at < tries; at += 1) {
    wholeMs = Math.min(wholeMs, cpuMsOf(whole))
    if (wholeMs <= constantMs) return true
    halfMs = Math.min(halfMs, cpuMsOf(half))
  }
  return wholeMs <= 3 * halfMs + constantMs
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return msOf(process.cpuUsage(before))
}

const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

const tries = 5
/** Below this, other threads of the process matter more than the work. */
const shortestMs = 1

async function quickestMs(work: () => unknown): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries; at += 1) {
    const before = process.cpuUsage()
    await work()
    ms = Math.min(ms, msOf(process.cpuUsage(before)))
  }
  return ms
}
