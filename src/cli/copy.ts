import { type Config, parseDatabaseUrl } from '../config.ts'
import { CopyError, copyTable, prepareTarget, type TablePair, tablesToCopy } from '../store/copy.ts'
import { type Digest, digestOf } from '../store/copy-digest.ts'
import type { Database } from '../store/database.ts'
import { locationOf } from '../store/open.ts'
import { openSnapshot, type Snapshot } from '../store/snapshot.ts'
import { finishCopy } from '../store/unfinished-copy.ts'
import { type Command, CommandError, type Output } from './command.ts'
import { counted, type Progress, progressOn, silent } from './progress.ts'
import { openMigrated } from './with-database.ts'

export const copy: Command = {
  summary: 'Copy all that a database holds into an empty one, and compare the two',
  words: [],
  flags: {
    from: { value: 'URL', meaning: 'The database to copy (DATABASE_URL)' },
    to: { value: 'URL', meaning: 'A new database: a file, or postgres://user:password@host:5432/name', required: true },
    resume: { meaning: 'Go on with a copy that was interrupted' },
  },
  run: async ({ flags, config, wantsJson }) => {
    const from = { ...config, databaseUrl: parseDatabaseUrl('--from', flags.from ?? config.databaseUrl) }
    const to = { ...config, databaseUrl: parseDatabaseUrl('--to', flags.to ?? '') }
    const source = await openSource(from)
    const progress = wantsJson ? silent : progressOn(process.stderr)
    try {
      const target = await openMigrated(to)
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
    return await openSnapshot(config)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `${locationOf(config.databaseUrl)} cannot be read: ${reason}. Check --from, or DATABASE_URL.`,
    )
  }
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
  for (const table of tables) {
    await copyTable(source, target, table, (done, total) => progress.show(`copied ${table.name}`, done, total))
  }
  const digests = await compareAll(copying, tables)
  await finishCopy(target)
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
  const rows = digests.reduce((sum, digest) => sum + digest.rows, 0)
  const places = { from: source.location, to: target.location }
  return {
    json: { ...places, rows, seconds, tables: digests },
    text: `Copied ${counted(rows)} in ${tables.length} tables from ${places.from} to ${places.to} in ${seconds} s. Each row was compared.`,
  }
}

/** Reads both again from the beginning: what was meant to be written proves nothing. */
async function compareAll({ source, to, progress }: Copying, tables: readonly TablePair[]): Promise<Digest[]> {
  const written = await openSnapshot(to)
  const digests: Digest[] = []
  try {
    for (const table of tables) {
      const [wanted, found] = await Promise.all([
        digestOf(source, table.from, () => {}),
        digestOf(written, table.to, (rows) => progress.show(`compared ${table.name}`, rows, Number.POSITIVE_INFINITY)),
      ])
      progress.show(`compared ${table.name}`, found.rows, wanted.rows)
      if (found.rows !== wanted.rows || found.sha256 !== wanted.sha256) throw new CopyError(difference(wanted, found))
      digests.push(wanted)
    }
  } finally {
    await written.close()
  }
  return digests
}

function difference(wanted: Digest, found: Digest): string {
  const what =
    wanted.rows === found.rows
      ? 'at least one of its rows differs'
      : `it has ${counted(found.rows)} instead of ${counted(wanted.rows)}`
  return `The copy is not equal to its source in ${wanted.table}: ${what}. Was something written to either meanwhile? Copy into a new database, while nobody is served.`
}
