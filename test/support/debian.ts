import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program of the system, and what to say if it is missing. */
export interface Program {
  readonly packageName: string
  readonly purpose: string
  find(): string | null
}

/** Whether a package can be had here: on Debian, by root. */
const canInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** Finds a program of the system, and installs it first where that is possible. */
export function findProgram(program: Program): string {
  const found = program.find() ?? findInstalled(program)
  if (found) return found
  throw new Error(`${program.purpose}. On Debian: apt-get install ${program.packageName}`)
}

function findInstalled(program: Program): string | null {
  installMissing([program])
  return program.find()
}

/** Installs what is not found, where that is possible. */
export function installMissing(programs: readonly Program[]): void {
  const missing = programs.filter(({ find }) => !find()).map(({ packageName }) => packageName)
  if (canInstall && missing.length > 0) install(missing)
}

/** Several parts of the tests may want one at the same time, and apt refuses to run twice at once. */
const lock = join(tmpdir(), 'project-api-apt.lock')

function install(packageNames: readonly string[]): void {
  const names = packageNames.join(' ')
  console.error(`Installing ${names} (once; about a minute) …`)
  const commands = `apt-get update && apt-get install -y ${names}`
  const { status, stderr } = spawnSync('flock', [lock, 'sh', '-c', commands], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) throw new Error(`${commands} failed: ${stderr}`)
}
