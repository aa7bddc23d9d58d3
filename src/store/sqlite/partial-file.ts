import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const abandonedMs = 86_400_000

/** Files that SQLite may create next to a database file. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const

/** `copy.db` → a temporary name with the host and the process: `copy.db.1f2e3d4c-815-0190….partial`. */
export function makePartialPath(target: string): string {
  removeAbandoned(target)
  return `${target}.${host}-${process.pid}-${Bun.randomUUIDv7()}.partial`
}

/** Removes a file with its side files. */
export function removeFile(path: string): void {
  for (const suffix of ['', ...sideFiles]) rmSync(path + suffix, { force: true })
}

/** Removes the partial files of the same target that killed processes have left. */
function removeAbandoned(target: string): void {
  const start = `${basename(target)}.`
  for (const name of namesIn(dirname(target))) {
    const found = name.startsWith(start) ? spelling.exec(name.slice(start.length)) : null
    const path = join(dirname(target), name)
    if (found && isAbandoned(path, found[1] ?? '', Number(found[2]))) rmSync(path, { force: true })
  }
}

/** Older versions did not write the host and the process. */
const spelling = /^(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f-]{36}\.partial(?:-wal|-shm|-journal)?$/

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Writing there fails next, with a better message.
    return []
  }
}

/** If the file is from another machine or container that shares the folder, only its age can tell. */
function isAbandoned(path: string, maker: string, pid: number): boolean {
  if (maker === host) return !isRunning(pid)
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  return Date.now() - changedAt > abandonedMs
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
