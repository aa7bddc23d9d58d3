import { startPostgres } from '../test/support/postgres.ts'

/** Everything that must hold before a change may land: form, types, dead code, and the tests on both engines. */
const checks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['knip'],
]

for (const check of checks) await run(check, {})

const server = process.env.TEST_DATABASE_URL ? null : await startPostgres()
try {
  await run(['bun', 'test', ...process.argv.slice(2)], {
    TEST_DATABASE_URL: process.env.TEST_DATABASE_URL ?? server?.url ?? '',
  })
} finally {
  await server?.stop()
}

async function run(command: readonly string[], env: Record<string, string>): Promise<void> {
  console.log(`\n> ${command.join(' ')}`)
  const { exited } = Bun.spawn([...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exitCode = await exited
  if (exitCode === 0) return
  await server?.stop()
  process.exit(exitCode)
}
