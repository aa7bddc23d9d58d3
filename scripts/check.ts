import { runTogether, staticChecks } from './run-checks.ts'

/** Checks for use during development: without a database or a browser, in less than a minute. */
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
