import { readFileSync } from 'node:fs'

/** Every connection and every database file needs one. */
const enough = 1024

/** The limit of open files and connections of this process; null if unknown. */
export function openFilesMax(): number | null {
  try {
    const [, max] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return max === undefined ? null : max === 'unlimited' ? Number.POSITIVE_INFINITY : Number(max)
  } catch {
    return null
  }
}

/** A warning if the limit is too low, or null. */
export const fewFiles = (max: number | null): string | null =>
  max !== null && max < enough
    ? `The limit of open files and connections is ${max}, and clients beyond it cannot connect`
    : null

export const raiseFiles = `Raise it to ${enough} or more: ulimit -n, LimitNOFILE= of systemd, or --ulimit nofile= of Docker`
