import { existsSync } from 'node:fs'
import type { Program } from './debian.ts'

/** The first of them is Chromium without what only a window needs, and takes a fifth less of the processor. */
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] as const

/** What tests need of the system beside Node and npm. */
export const programs = {
  browser: {
    packageName: browsers[0],
    purpose: `The tests in a browser need one of ${browsers.join(', ')} on the PATH`,
    find: () => firstOf(browsers.map((name) => Bun.which(name))),
  },
  pgbouncer: {
    packageName: 'pgbouncer',
    purpose: 'These tests need pgbouncer on the PATH',
    find: () => (existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : Bun.which('pgbouncer')),
  },
  postgresTools: {
    packageName: 'postgresql-client',
    purpose: 'The drill needs pg_dump and pg_restore of PostgreSQL 15 or later on the PATH',
    find: () => Bun.which('pg_dump') && Bun.which('pg_restore'),
  },
  python: {
    packageName: 'python3-requests',
    purpose: 'The examples in Python need a python3 with requests',
    find: () => firstOf(['/usr/bin/python3', Bun.which('python3')].filter(hasRequests)),
  },
} satisfies Readonly<Record<string, Program>>

const firstOf = (paths: readonly (string | null)[]): string | null => paths.find((path) => path !== null) ?? null

function hasRequests(python: string | null): boolean {
  try {
    return python !== null && Bun.spawnSync([python, '-c', 'import requests']).exitCode === 0
  } catch {
    return false
  }
}
