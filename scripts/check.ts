import { readdirSync } from 'node:fs'
import { startPostgres } from '../test/support/postgres.ts'

/** Everything that must hold before a change may land: form, types, dead code, known weaknesses of dependencies, and the tests on both engines. */
const checks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'src/web'],
  ['knip'],
  ['bun', 'scripts/audit.ts'],
]

/** Folders whose tests wait a lot, for a browser or for processes of their own, and so run beside the others. */
const beside: readonly (readonly string[])[] = [
  ['browser'],
  ['backup', 'copy', 'crash', 'faults', 'process'],
  ['cluster', 'prove', 'settings', 'tenancy'],
]

/** Several runs share the cores, so each may need longer than by itself. */
const patience = ['--timeout', '40000']

process.exitCode = await runAll()

async function runAll(): Promise<number> {
  for (const check of checks) {
    const exitCode = await run(check)
    if (exitCode !== 0) return exitCode
  }
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
  if (asked.length > 0) return run(['bun', 'test', ...asked], env)
  const quiet = beside.map((folders) => runQuietly(testCommand(folders.map((name) => `test/${name}/`)), env))
  const exitCodes = [await run(testCommand(otherPaths()), env)]
  for (const one of quiet) {
    const { exitCode, printed } = await one
    console.log(printed)
    exitCodes.push(exitCode)
  }
  return Math.max(...exitCodes)
}

function testCommand(paths: readonly string[]): string[] {
  return ['bun', 'test', ...patience, ...paths]
}

async function runQuietly(command: readonly string[], env: Record<string, string | undefined>) {
  const child = Bun.spawn([...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { exitCode, printed: `\n> ${command.join(' ')}\n${out}${err}` }
}

/** Whatever is in test/ and not beside. */
function otherPaths(): string[] {
  const left = readdirSync('test', { withFileTypes: true }).filter(
    ({ name }) => !['support', ...beside.flat()].includes(name),
  )
  return left.map((entry) => `test/${entry.name}${entry.isDirectory() ? '/' : ''}`)
}

function run(command: readonly string[], env: Record<string, string | undefined> = process.env): Promise<number> {
  console.log(`\n> ${command.join(' ')}`)
  return Bun.spawn([...command], { env, stdio: ['ignore', 'inherit', 'inherit'] }).exited
}
