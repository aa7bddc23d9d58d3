import type { Config } from '../config/config.ts'
import { parseDatabaseUrl } from '../config/parse-settings.ts'
import { CopyError, copyTable, prepareTarget, type TablePair, tablesToCopy } from '../store/copy/copy.ts'
import { type Digest, digestOf } from '../store/copy/digest.ts'
import type { Snapshot } from '../store/copy/snapshot.ts'
import { finishCopy } from '../store/copy/unfinished-copy.ts'
import type { Database } from '../store/database.ts'
import { engineOf } from '../store/open.ts'
import { type Command, CommandError, type Output } from './command.ts'
import { counted, type Progress, progressOn, silent } from './progress.ts'
import { openMigrated } from './with-database.ts'

export const copy: Command = {
  summary: 'Copy a whole database into an empty one, and compare the two',
  words: [],
  flags: {
    from: { value: 'URL', meaning: 'The database to copy (DATABASE_URL)' },
    to: { value: 'URL', meaning: 'A new database: a file, or postgres://user:password@host:5432/name', required: true },
    resume: { meaning: 'Continue an interrupted copy' },
  },
  run: async ({ flags, config, wantsJson }) => {
    const from = { ...config, databaseUrl: parseDatabaseUrl('--from', flags.from ?? config.databaseUrl) }
    const to = { ...config, databaseUrl: parseDatabaseUrl('--to', flags.to ?? '') }
    const source = await openSource(from)
    const progress = wantsJson ? silent : progressOn(process.stderr)
    try {
      const target = await openTarget(to)
      return await copyAll({ source, target, to, progress }, flags.resume !== undefined).finally(() => target.close())
    } catch (error) {
      throw error instanceof CopyError ? new CommandError(error.message) : error
    } finally {
      progress.end()
      await source.close()
    }
  },
}

async function openSource(config: Config): Promise<Snapshot> {
  try {
    return await engineOf(config.databaseUrl).openSnapshot(config)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `${engineOf(config.databaseUrl).locationOf(config.databaseUrl)} cannot be read: ${reason}. Check --from, or DATABASE_URL.`,
    )
  }
}

async function openTarget(to: Config): Promise<Database> {
  const target = await openMigrated(to)
  const obstacle = await engineOf(to.databaseUrl).obstacleTo(target, to.databaseUrl)
  if (obstacle === null) return target
  await target.close()
  throw new CommandError(obstacle)
}

interface Copying {
  readonly source: Snapshot
  readonly target: Database
  readonly to: Config
  readonly progress: Progress
}

async function copyAll(copying: Copying, resume: boolean): Promise<Output> {
  const { source, target, progress } = copying
  const startedAt = performance.now()
  const tables = await tablesToCopy(source, target)
  await prepareTarget(target, tables, resume)
  const digests: Digest[] = []
  for (const table of tables) {
    const show = (done: number, total: number) => progress.show(`copied ${table.name}`, done, total)
    digests.push(await copyTable(source, target, table, show).catch((error) => refuse(table.name, error)))
  }
  await compareAll(copying, tables, digests)
  await finishCopy(target)
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
  const rows = digests.reduce((sum, digest) => sum + digest.rows, 0)
  const databases = { from: source.location, to: target.location }
  return {
    json: { ...databases, rows, seconds, tables: digests },
    text: `Copied ${counted(rows)} in ${tables.length} tables from ${databases.from} to ${databases.to} in ${seconds} s. Each row was compared.`,
  }
}

/** After any error, the copy can be resumed from what was copied so far. */
function refuse(table: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new CommandError(`The copy stopped in ${table}: ${reason}. Fix that, and add --resume to continue.`)
}

/** Reads the target again, and compares its digests with those of the source. */
async function compareAll(
  { to, progress }: Copying,
  tables: readonly TablePair[],
  wanted: readonly Digest[],
): Promise<void> {
  const written = await engineOf(to.databaseUrl).openSnapshot(to)
  try {
    for (const [at, table] of tables.entries()) {
      const one = wanted[at]
      if (!one) throw new Error(`Nothing is known of ${table.name}`)
      const found = await digestOf(written, table.to, (rows) => progress.show(`compared ${table.name}`, rows, one.rows))
      if (found.rows !== one.rows || found.sha256 !== one.sha256) throw new CopyError(difference(one, found))
    }
  } finally {
    await written.close()
  }
}

function difference(wanted: Digest, found: Digest): string {
  const what =
    wanted.rows === found.rows
      ? 'at least one of its rows differs'
      : `it has ${counted(found.rows)} instead of ${counted(wanted.rows)}`
  return `The copy is not equal to its source in ${wanted.table}: ${what}. Was something written to either meanwhile? Copy into a new database, while nobody is served.`
}
