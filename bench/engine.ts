import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { makeDistributedPlace, removeTemplate } from '../test/support/citus.ts'
import { startPostgres } from '../test/support/postgres.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** A new, empty database on disk, removed at the end. */
export async function makeDatabase(engine: Engine, ends: AsyncDisposableStack): Promise<string> {
  return engine === 'sqlite' ? makeFile(ends) : makeServerDatabase(ends)
}

/** The same on the cluster of `CITUS_URL`, with its tables distributed. */
export async function makeClusterDatabase(ends: AsyncDisposableStack): Promise<string> {
  const place = await makeDistributedPlace()
  ends.defer(async () => {
    await place.remove()
    await removeTemplate()
  })
  return place.url
}

/** Runs statements directly, without the service. */
export async function runScript(databaseUrl: string, statements: readonly string[]): Promise<void> {
  if (databaseUrl.startsWith('postgres')) {
    await using client = new SQL(databaseUrl.replace('?citus=true', ''), { max: 1 })
    for (const statement of statements) await client.unsafe(statement)
    return
  }
  using engine = new Database(databaseUrl)
  engine.run('pragma busy_timeout = 20000')
  for (const statement of statements) engine.run(statement)
}

function makeFile(ends: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-bench-'))
  ends.defer(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'bench.db')
}

let server: Promise<string> | null = null

/** On the server that the environment names, or on one started for this run. */
async function makeServerDatabase(ends: AsyncDisposableStack): Promise<string> {
  server ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : startServer(ends)
  const base = new URL(await server)
  const name = `bench_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await runScript(base.href, [`create database ${name} template template0`])
  ends.defer(() => runScript(base.href, [`drop database ${name} with (force)`]))
  return Object.assign(new URL(base), { pathname: `/${name}` }).href
}

async function startServer(ends: AsyncDisposableStack): Promise<string> {
  // Writes are on disk before the response, as the service guarantees.
  const started = await startPostgres('on')
  ends.defer(() => {
    server = null
    return started.stop()
  })
  return started.url
}
