import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { shareServer, stopServer } from '../test/support/engines.ts'
import { exitCodeOf, printFailures, run, runInTurn, runTogether, staticChecks, type Variables } from './run-checks.ts'

/** Folders whose tests take longest: they are begun first, so that nothing long is left for the end. */
const longest = ['prove-postgres', 'prove', 'browser', 'process', 'extend', 'copy', 'tenancy', 'faults']

/** Folders with a command of their own: `npm run test:tools` and `npm run test:citus`. */
const others = ['tools', 'citus']

/** More than there are cores, because tests often wait: for a browser, for processes, or for time. */
const atOnce = 6
const filesMax = 8
/** Of the longest. A part whose tests take long would still be running when all others have ended. */
const longFilesMax = 3

const installPrograms = ['bun', 'scripts/install-programs.ts']

/** Long, because several parts and other programs share the cores. */
const timeoutMs = 300_000

process.exitCode = await runAll()

/** Everything that a change must pass: static checks, the audit of dependencies, and the tests on both engines. */
async function runAll(): Promise<number> {
  const exitCode = await runTogether([...staticChecks, ['bun', 'scripts/audit.ts'], installPrograms])
  if (exitCode !== 0) return exitCode
  await using ends = new AsyncDisposableStack()
  ends.defer(stopServer)
  return await runTests({ ...process.env, ...(await shareServer()), TEST_SERVICE: await buildService(ends) })
}

/** The executable, which tests start hundreds of times. */
async function buildService(ends: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-api-service-'))
  ends.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'project-api')
  const built = await runTogether([['bun', 'scripts/build.ts', path]])
  if (built !== 0) throw new Error('The executable could not be built')
  return path
}

async function runTests(env: Variables): Promise<number> {
  const paths = process.argv.slice(2)
  if (paths.length > 0) return exitCodeOf([await run(testCommand(paths), env)])
  const ended = await runInTurn(findParts().map(testCommand), atOnce, env)
  printFailures(ended)
  return exitCodeOf(ended)
}

function testCommand(paths: readonly string[]): string[] {
  return ['bun', 'test', '--timeout', String(timeoutMs), ...paths]
}

/** All tests, in parts that are run side by side. */
function findParts(): string[][] {
  const folders = Map.groupBy([...new Glob('test/**/*.test.ts').scanSync()].sort(), folderOf)
  for (const other of others) folders.delete(other)
  const rest = [...folders.keys()].filter((folder) => !longest.includes(folder))
  const divided = (names: readonly string[], most: number) =>
    names.flatMap((folder) => divide(folders.get(folder) ?? [], most))
  return [...divided(longest, longFilesMax), ...divided(rest, filesMax)]
}

/** `api` of `test/api/cors.test.ts`, and nothing of `test/layers.test.ts`. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).slice(1, -1)[0] ?? ''
}

function divide(files: readonly string[], most: number): string[][] {
  const parts = Math.ceil(files.length / most)
  return Array.from({ length: parts }, (_, part) =>
    files.filter((_, at) => at % parts === part).map((file) => `./${file}`),
  )
}
