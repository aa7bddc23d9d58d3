import { startPostgres } from '../test/support/postgres.ts'
import { fetchPostgres, isPostgresVersion, postgresVersions } from './fetch-postgres.ts'
import { printFailures, run } from './run-checks.ts'

/** All tests that use PostgreSQL, except those that need a browser. */
const usual = [
  ...[
    'api',
    'backup',
    'client',
    'client-docs',
    'cluster',
    'copy',
    'exact',
    'extend',
    'faults',
    'fields',
    'mcp',
    'process',
  ],
  ...['property', 'prove-postgres', 'settings', 'tenancy', 'upgrade', 'webhooks', 'plans.test.ts', 'schema.test.ts'],
].map((name) => `test/${name}`)

const [version = '', ...paths] = process.argv.slice(2)
process.exitCode = await testOn(version)

/** A `pg_dump` that is older than the server refuses to dump it. */
function usualOn(version: string): readonly string[] {
  const [, dump = '0'] = /(\d+)\./.exec(Bun.spawnSync(['sh', '-c', 'pg_dump --version']).stdout.toString()) ?? []
  if (Number(dump) >= Number(version)) return usual
  console.error(`test/backup is left out: it needs pg_dump ${version} on the PATH, and this one is ${dump}.`)
  return usual.filter((path) => path !== 'test/backup')
}

/** `npm run test:postgres -- 17`, or with paths after it: the tests on a version of PostgreSQL, without those on SQLite. */
async function testOn(version: string): Promise<number> {
  if (!isPostgresVersion(version)) {
    console.error(`Name a version of PostgreSQL: ${postgresVersions.join(', ')}.`)
    return 1
  }
  process.env.TEST_POSTGRES_FOLDER = fetchPostgres(version)
  const server = await startPostgres()
  try {
    const env = { ...process.env, TEST_DATABASE_URL: server.url, TEST_ENGINE: 'postgres' }
    const ended = await run(
      ['bun', 'test', '--timeout', '120000', ...(paths.length > 0 ? paths : usualOn(version))],
      env,
    )
    printFailures([ended])
    return ended.exitCode
  } finally {
    await server.stop()
  }
}
