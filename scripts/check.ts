import { runTogether, staticChecks } from './run-checks.ts'

/** What needs no database, no browser and less than a minute: for use while working on a change. */
process.exitCode = await runTogether([
  ...staticChecks,
  [
    'bun',
    'test',
    '--only-failures',
    '--timeout',
    '40000',
    'test/layers.test.ts',
    'test/catalogue.test.ts',
    'test/unit/',
  ],
])
