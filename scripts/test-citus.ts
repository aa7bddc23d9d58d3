import { citusUrl } from '../test/support/citus.ts'
import { run } from './run-checks.ts'

/** The tests that say something about a cluster, on the one that CITUS_URL names. Those in test/citus end and hold its nodes. */
const folders = [
  'api',
  'client',
  'exact',
  'tenancy',
  'property',
  'settings',
  'fields',
  'webhooks',
  'mcp',
  'copy',
  'citus',
]

process.exitCode = await runAll(process.argv.slice(2))

async function runAll(paths: readonly string[]): Promise<number> {
  try {
    citusUrl()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
  const wanted = paths.length > 0 ? paths : folders.map((name) => `test/${name}/`)
  const { exitCode } = await run(['bun', 'test', '--timeout', '120000', ...wanted], {
    ...process.env,
    TEST_CITUS: 'on',
  })
  return exitCode
}
