import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether a package can be had here: on Debian, by root. */
const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** Finds a program of the system, and installs it first where that is possible. */
export function findProgram(find: () => string | null, packageName: string, purpose: string): string {
  const found = find() ?? (canInstall ? install(packageName, find) : null)
  if (found) return found
  throw new Error(`${purpose}. On Debian: apt-get install ${packageName}`)
}

/** Several parts of the tests may want one at the same time, and apt refuses to run twice at once. */
const lock = join(tmpdir(), 'project-api-apt.lock')

function install(packageName: string, find: () => string | null): string | null {
  console.error(`Installing ${packageName} (once; about a minute) …`)
  const commands = `apt-get update && apt-get install -y ${packageName}`
  const { status, stderr } = spawnSync('flock', [lock, 'sh', '-c', commands], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) throw new Error(`${commands} failed: ${stderr}`)
  return find()
}
