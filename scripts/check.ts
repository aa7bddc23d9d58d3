import { startPostgres } from '../test/support/postgres.ts'

/** Everything that must hold before a change may land: form, types, dead code, and the tests on both engines. */
const checks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'src/web'],
  ['knip'],
]

process.exitCode = await runAll()

async function runAll(): Promise<number> {
  for (const check of checks) {
    const exitCode = await run(check, {})
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

function runTests(url: string): Promise<number> {
  return run(['bun', 'test', ...process.argv.slice(2)], { TEST_DATABASE_URL: url })
}

function run(command: readonly string[], env: Record<string, string>): Promise<number> {
  console.log(`\n> ${command.join(' ')}`)
  return Bun.spawn([...command], { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] }).exited
}
