/**
 * How many times as long four times as much takes: about 4 where time grows with the input, 16 where it grows with its square.
 * It counts the processor time of this process. What else uses its caches can still make one of them take twice as long, so 8 is the line between the two.
 */
export async function growthOf(size: number, work: (size: number) => unknown): Promise<number> {
  const once = await quickestMs(() => work(size))
  const fourTimes = await quickestMs(() => work(size * 4))
  return fourTimes / Math.max(once, shortestMs)
}

/** What any call may take, however short its work is. */
const constantMs = 20

/** Whether the second piece of work, which has four times as much to do, takes at most eight times as long as the first. */
export function growsInLine(quarter: () => void, whole: () => void): boolean {
  let [quarterMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let at = 0; at < tries; at += 1) {
    wholeMs = Math.min(wholeMs, cpuMsOf(whole))
    if (wholeMs <= constantMs) return true
    quarterMs = Math.min(quarterMs, cpuMsOf(quarter))
  }
  return wholeMs <= 8 * quarterMs + constantMs
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
