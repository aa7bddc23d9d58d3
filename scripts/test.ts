import { readdirSync, statSync } from 'node:fs'
import { startPostgres } from '../test/support/postgres.ts'
import { exitCodeOf, printEach, printFailures, run, runQuietly, runTogether, staticChecks } from './run-checks.ts'

/** Groups of folders that run in parallel with the other tests, because they often wait: for a browser, for processes, or for time. */
const parallel: readonly (readonly string[])[] = [
  ['browser/settings'],
  ['browser/pages'],
  ['client', 'exact'],
  ['backup', 'copy', 'crash', 'upgrade'],
  ['faults'],
  ['process'],
  ['api'],
  ['cluster', 'settings', 'tenancy'],
  ['prove'],
  ['node'],
  ['prove-postgres'],
]

/** Folders with a command of their own: `npm run test:tools` and `npm run test:citus`. */
const others = ['tools', 'citus']

/** Long, because several runs and other programs share the cores. */
const timeout = ['--timeout', '300000']

process.exitCode = await runAll()

/** Everything that a change must pass: static checks, the audit of dependencies, and the tests on both engines. */
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

/** The output of the parallel groups is printed at the end, then a list of what failed. */
async function runTests(url: string): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: url }
  const paths = process.argv.slice(2)
  if (paths.length > 0) return exitCodeOf([await run(testCommand(paths), env)])
  const quiet = parallel.map((folders) => runQuietly(testCommand(folders.map(testPath)), env))
  const ended = [await run(testCommand(otherPaths()), env), ...(await printEach(quiet))]
  printFailures(ended)
  return exitCodeOf(ended)
}

function testCommand(paths: readonly string[]): string[] {
  return ['bun', 'test', ...timeout, ...paths]
}

/** Everything in test/ that is not in a parallel group. */
function otherPaths(): string[] {
  const grouped = parallel.flat()
  const isDivided = (name: string) => grouped.some((folder) => folder.startsWith(`${name}/`))
  const all = pathsIn('').flatMap((name) => (isDivided(name) ? pathsIn(`${name}/`) : [name]))
  return all.filter((path) => !['support', ...others, ...grouped].includes(path)).map(testPath)
}

function pathsIn(folder: string): string[] {
  return readdirSync(`test/${folder}`).map((name) => folder + name)
}

/** A folder ends with a slash, because its name may be the beginning of another one. */
function testPath(path: string): string {
  return `test/${path}${statSync(`test/${path}`).isDirectory() ? '/' : ''}`
}
