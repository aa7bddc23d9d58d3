import { readdirSync } from 'node:fs'
import { startPostgres } from '../test/support/postgres.ts'
import { printEach, run, runQuietly, runTogether, staticChecks } from './run-checks.ts'

/** Folders whose tests wait a lot, for a browser or for processes of their own, and so run beside the others. */
const beside: readonly (readonly string[])[] = [
  ['browser'],
  ['backup', 'copy', 'crash', 'faults', 'process'],
  ['cluster', 'settings', 'tenancy'],
  ['prove'],
  ['prove-postgres'],
]

/** Several runs share the cores, with each other and with whatever else the machine does. */
const patience = ['--timeout', '120000']

process.exitCode = await runAll()

/** Everything that must hold before a change may land: the sources, known weaknesses of dependencies, and the tests on both engines. */
async function runAll(): Promise<number> {
  const exitCode = await runTogether([...staticChecks, ['bun', 'scripts/audit.ts']])
  if (exitCode !== 0) return exitCode
  if (process.env.TEST_DATABASE_URL) return runTests(process.env.TEST_DATABASE_URL)
  const server = await startPostgres()
  try {
    return await runTests(server.url)
  } finally {
    await server.stop()
  }
}

/** What is printed beside the others comes after them. */
async function runTests(url: string): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: url }
  const asked = process.argv.slice(2)
  if (asked.length > 0) return run(testCommand(asked), env)
  const quiet = beside.map((folders) => runQuietly(testCommand(folders.map((name) => `test/${name}/`)), env))
  const exitCode = await run(testCommand(otherPaths()), env)
  return Math.max(exitCode, await printEach(quiet))
}

function testCommand(paths: readonly string[]): string[] {
  return ['bun', 'test', ...patience, ...paths]
}

/** Whatever is in test/ and not beside. */
function otherPaths(): string[] {
  const left = readdirSync('test', { withFileTypes: true }).filter(
    ({ name }) => !['support', ...beside.flat()].includes(name),
  )
  return left.map((entry) => `test/${entry.name}${entry.isDirectory() ? '/' : ''}`)
}
