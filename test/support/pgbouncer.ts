import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './debian.ts'
import { end, freePort, owner, untilReady } from './postgres.ts'
import { programs } from './programs.ts'

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
  const child = spawn(findProgram(programs.pgbouncer), ['-q', file], { ...owner, cwd: folder, stdio: 'ignore' })
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
