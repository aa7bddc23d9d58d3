import { judgeAll, type NamedFinding, warning } from '../check.ts'
import type { Problem } from '../database.ts'
import { filePathOf } from '../database-url.ts'
import type { EngineKind, StoreSettings } from '../engine-kind.ts'
import { examineOpen } from '../examine-open.ts'
import { shareEngine } from '../share.ts'
import { withFailures, withLongFailures } from '../with-failures.ts'
import { inspectFile, inspectSqlite } from './inspect-sqlite.ts'
import { openSqlite } from './sqlite.ts'
import { backupSqlite } from './sqlite-backup.ts'
import { fileChecks, sqliteChecks } from './sqlite-checks.ts'
import { requireFile } from './sqlite-file.ts'
import { explainSqlite } from './sqlite-problems.ts'
import { restoreSqlite } from './sqlite-restore.ts'
import { openSqliteSnapshot } from './sqlite-snapshot.ts'

const checkPermission =
  'Give this user write permission for the file and its directory, or set DATABASE_URL to another path'

const remedies: Readonly<Partial<Record<Problem, string>>> = {
  damaged:
    'It is damaged, or not a database. Restore the latest backup with "restore FILE --replace", or set DATABASE_URL to another path',
  away: 'If another program has locked it, end that program. Otherwise give this user write permission for its directory, or set DATABASE_URL to another path',
  full: 'Free space on its disk',
}

/** The embedded engine, with its data in a file. */
export const sqlite: EngineKind = {
  name: 'sqlite',
  open,
  openSnapshot: async ({ databaseUrl }) => openSqliteSnapshot(filePathOf(databaseUrl)),
  locationOf: filePathOf,
  requireDatabase: (url) => requireFile(filePathOf(url)),
  obstacleTo: async () => null,
  openingFailed: {
    what: (location, url) => `The database file ${location ?? url} cannot be opened`,
    remedyFor,
  },
  examine,
  backup: (url, file) => backupSqlite(filePathOf(url), file),
  restore: (file, url, mayReplace) => restoreSqlite(file, filePathOf(url), mayReplace),
  hasDemo: true,
  canDistribute: false,
}

function remedyFor(error: unknown): string {
  const problem = explainSqlite(error)
  return (problem && remedies[problem]) ?? checkPermission
}

function open({ databaseUrl, statementTimeoutMs, queueMax }: StoreSettings) {
  const engine = openSqlite(filePathOf(databaseUrl), statementTimeoutMs)
  const own = withFailures(engine, engine)
  return shareEngine({ ...engine, ...own, ...withLongFailures(engine), background: own }, queueMax)
}

async function examine(settings: StoreSettings, isFull: boolean): Promise<NamedFinding[]> {
  const { databaseUrl } = settings
  const facts = inspectFile(filePathOf(databaseUrl))
  if (!facts)
    return [{ name: 'database', ...warning(`there is no file ${databaseUrl} yet`, 'The first start makes it') }]
  const engine = await examineOpen(
    () => open(settings),
    remedyFor,
    async (db) => judgeAll(sqliteChecks, await inspectSqlite(db, isFull)),
  )
  return [...judgeAll(fileChecks, facts), ...engine]
}
