import { SQLiteError } from 'bun:sqlite'
import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import { timestampText } from '../../types/timestamp-text.ts'
import type { FileReport } from '../file-report.ts'
import { sealFile } from './file-seal.ts'
import { makePartialPath, removeFile } from './partial-file.ts'
import { checkFile, FileProblem, openFile, problemOf, requireFile, syncToDisk } from './sqlite-file.ts'

/** Where the time of the last backup is kept, in the table of settings. */
export const lastBackupName = 'last_backup_at'

/**
 * Copies a database that may be in use into a new file, and reads the copy to its end. It is a copy of one moment, and nobody waits for it.
 * Until it is known to be whole it has another name, so that half a copy can never be taken for a backup.
 */
export function backupSqlite(source: string, target: string): FileReport {
  requireFile(source)
  refuseExisting(target)
  const partial = makePartialPath(target)
  try {
    // Whoever can read the copy can read every company's rows, so it is its owner's alone from the first byte on.
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

/** For `doctor` to know. The backup is as good without it. */
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
