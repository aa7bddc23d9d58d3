import { SQLiteError } from 'bun:sqlite'
import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import { timestampText } from '../../types/timestamp-text.ts'
import type { FileReport } from '../file-report.ts'
import { sealFile } from './file-seal.ts'
import { makePartialPath, removeFile } from './partial-file.ts'
import { checkFile, FileProblem, openFile, problemOf, requireFile, syncToDisk } from './sqlite-file.ts'

/** The row of the table `setting` with the time of the last backup. */
export const lastBackupName = 'last_backup_at'

/**
 * Makes a consistent copy of a database that may be in use, without blocking it, and checks the copy. The copy has a
 * temporary name until it is complete, so that a partial copy cannot be mistaken for a backup.
 */
export function backupSqlite(source: string, target: string): FileReport {
  requireFile(source)
  refuseExisting(target)
  const partial = makePartialPath(target)
  try {
    // The copy contains the rows of all companies, so only its owner may read it, from the first byte on.
    closeSync(openSync(partial, 'wx', 0o600))
    copy(source, partial)
    const report = checkFile(partial, 'The copy')
    sealFile(partial)
    syncToDisk(partial)
    refuseExisting(target)
    renameSync(partial, target)
    syncToDisk(target)
    remember(source)
    return report
  } catch (error) {
    throw problemOf(target, error)
  } finally {
    removeFile(partial)
  }
}

function refuseExisting(target: string): void {
  if (existsSync(target))
    throw new FileProblem(`${target} exists. A backup never replaces a file: choose another name.`)
}

function copy(source: string, partial: string): void {
  try {
    const engine = openFile(source)
    try {
      engine.query('vacuum into ?').run(partial)
    } finally {
      engine.close()
    }
  } catch (error) {
    throw isFull(error) ? error : problemOf(source, error)
  }
}

const isFull = (error: unknown): boolean => error instanceof SQLiteError && error.code === 'SQLITE_FULL'

/** For `doctor`. Failures are ignored, because the backup itself is complete. */
function remember(source: string): void {
  try {
    const engine = openFile(source)
    try {
      engine
        .query(
          'insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        )
        .run(lastBackupName, timestampText(new Date()))
    } finally {
      engine.close()
    }
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
  }
}
