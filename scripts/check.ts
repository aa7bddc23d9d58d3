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

/** Two runs share two cores, so each may need longer than by itself. */
const patience = ['--timeout', '20000']

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

/** Those in a browser wait a lot, and so run beside the others; what they print comes after. */
async function runTests(url: string): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: url }
  const asked = process.argv.slice(2)
  if (asked.length > 0) return run(['bun', 'test', ...asked], env)
  const inBrowser = Bun.spawn(['bun', 'test', ...patience, 'test/browser/'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = Promise.all([new Response(inBrowser.stdout).text(), new Response(inBrowser.stderr).text()])
  const others = await run(['bun', 'test', ...patience, ...otherFolders()], env)
  const [out, err] = await printed
  console.log(`\n> bun test test/browser/\n${out}${err}`)
  return others || (await inBrowser.exited)
}

function otherFolders(): string[] {
  const entries = readdirSync('test', { withFileTypes: true }).filter(
    ({ name }) => name !== 'browser' && name !== 'support',
  )
  return entries.map((entry) => `test/${entry.name}${entry.isDirectory() ? '/' : ''}`)
}

function run(command: readonly string[], env: Record<string, string | undefined> = process.env): Promise<number> {
  console.log(`\n> ${command.join(' ')}`)
  return Bun.spawn([...command], { env, stdio: ['ignore', 'inherit', 'inherit'] }).exited
}
