import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether a package can be had here: on Debian, by root. */
const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** Finds a program of the system, and installs it first where that is possible. */
export function findProgram(find: () => string | null, packageName: string, purpose: string): string {
  const found = find() ?? (canInstall ? install(packageName, find) : null)
  if (found) return found
  throw new Error(`${purpose}. On Debian: apt-get install ${packageName}`)
}

function install(packageName: string, find: () => string | null): string | null {
  console.error(`Installing ${packageName} (once; about a minute) …`)
  for (const command of ['update', `install -y ${packageName}`]) {
    const { status, stderr } = spawnSync('apt-get', command.split(' '), {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) throw new Error(`apt-get ${command} failed: ${stderr}`)
  }
  return find()
}
