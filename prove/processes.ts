import { readdirSync, readFileSync } from 'node:fs'
import { residentMb } from '../test/support/service.ts'

/** What a process and all that it has started hold in memory together, in MB. */
export const treeMb = (pid: number): number => treeOf(pid).reduce((sum, one) => sum + memoryOf(one), 0)

function treeOf(pid: number): number[] {
  return [
    pid,
    ...childrenOf(pid)
      .filter((child) => !isBeginning(child, pid))
      .flatMap(treeOf),
  ]
}

/** Until it runs its own program, a new process is in the memory of the one that starts it, and shows the command of that one. */
const isBeginning = (pid: number, parent: number): boolean => commandOf(pid) === commandOf(parent)

function commandOf(pid: number): string {
  if (process.platform !== 'linux') return String(pid)
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return String(pid)
  }
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return numbersIn(Bun.spawnSync(['pgrep', '-P', String(pid)]).stdout.toString())
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      numbersIn(readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')),
    )
  } catch {
    return []
  }
}

/** A process may end at any moment, and then holds nothing. */
function memoryOf(pid: number): number {
  try {
    return residentMb(pid) || 0
  } catch {
    return 0
  }
}

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

/** Notes the most memory that a process and its children hold, until it is told to stop. */
export function watchMemory(pid: number, everyMs: number, told: (mb: number) => void = () => {}) {
  const sample = (): void => {
    const mb = treeMb(pid)
    peak = Math.max(peak, mb)
    told(mb)
  }
  let peak = 0
  sample()
  const timer = setInterval(sample, everyMs)
  return {
    stop: (): number => {
      clearInterval(timer)
      sample()
      return peak
    },
  }
}
