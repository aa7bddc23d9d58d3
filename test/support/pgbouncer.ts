import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, freePort, owner, untilReady } from './postgres.ts'

export interface Pgbouncer {
  /** The same database, reached through PgBouncer. */
  through(databaseUrl: string): string
  stop(): Promise<void>
}

/** PgBouncer in transaction mode before a server, with fewer connections to it than the service opens, so that they are shared. */
export async function startPgbouncer(serverUrl: string): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-pgbouncer-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings(new URL(serverUrl), port))
  chmodSync(folder, 0o755)
  chmodSync(file, 0o644)
  const child = spawn(findPgbouncer(), ['-q', file], { ...owner, cwd: folder, stdio: 'ignore' })
  const through = (databaseUrl: string): string => {
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${port}`
    url.searchParams.set('pgbouncer', 'true')
    return url.href
  }
  await untilReady(through(serverUrl).replace('?pgbouncer=true', ''), child)
  return {
    through,
    stop: async () => {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function settings({ hostname, port: serverPort, username, password }: URL, port: number): string {
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  return `[databases]
* = host=${hostname} port=${serverPort || 5432} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
`
}

function findPgbouncer(): string {
  const found = installed() ?? (owner.uid !== undefined && existsSync('/etc/debian_version') ? install() : null)
  if (found) return found
  throw new Error('These tests need pgbouncer on the PATH. On Debian: apt-get install pgbouncer')
}

const installed = (): string | null =>
  existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : Bun.which('pgbouncer')

function install(): string | null {
  console.error('Installing pgbouncer (once; some seconds) …')
  for (const command of ['update', 'install -y pgbouncer']) {
    const { status, stderr } = spawnSync('apt-get', command.split(' '), {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) throw new Error(`apt-get ${command} failed: ${stderr}`)
  }
  return installed()
}
