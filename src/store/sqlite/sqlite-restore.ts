import { SQLiteError } from 'bun:sqlite'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Restored } from '../file-report.ts'
import { migrate } from '../migrate.ts'
import { isIntact } from './file-seal.ts'
import { makePartialPath, removeFile, sideFiles } from './partial-file.ts'
import { openSqlite } from './sqlite.ts'
import { checkFile, FileProblem, openFile, problemOf, syncToDisk } from './sqlite-file.ts'

/** Replaces a database file with a copy of a backup. The copy is checked completely before it is put in place. */
export async function restoreSqlite(backup: string, path: string, mayReplace: boolean): Promise<Restored> {
  const target = existsSync(path) ? realpathSync(path) : path
  refuseUnusable(backup, target)
  if (existsSync(target) && !mayReplace) {
    throw new FileProblem(`${target} exists. Use --replace to put the backup in its place; the file is kept beside it.`)
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const partial = makePartialPath(target)
  try {
    await pipeline(createReadStream(backup), createWriteStream(partial, { flags: 'wx', mode: 0o600 }))
    const { migration: migratedFrom } = checkFile(partial, backup)
    if (!isIntact(partial)) throw new FileProblem(changed(backup))
    await bringUpToDate(partial)
    const report = checkFile(partial, backup)
    syncToDisk(partial)
    return { ...report, migratedFrom, ...replace(target, partial) }
  } catch (error) {
    throw problemOf(target, error)
  } finally {
    removeFile(partial)
  }
}

const changed = (backup: string): string =>
  `${backup} is not as it was when it was made: it is damaged, or was used as a database. Use another copy; of a database, make a backup with "backup".`

function refuseUnusable(backup: string, target: string): void {
  const stat = statSync(backup, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw new FileProblem(`There is no file ${backup}.`)
  const place = statSync(target, { throwIfNoEntry: false })
  if (place?.ino === stat.ino && place.dev === stat.dev) throw new FileProblem(`${backup} is the database itself.`)
  if ((statSync(`${backup}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new FileProblem(
      `${backup} is a database in use: ${backup}-wal holds a part of it. Make a backup of it with "backup", and restore that.`,
    )
  }
}

async function bringUpToDate(path: string): Promise<void> {
  const engine = openFile(path)
  // Removes the seal, because the file changes from here on.
  engine.run('pragma user_version = 0')
  engine.close()
  const db = openSqlite(path)
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
}

/** Atomic: at every moment there is a complete file at the path, the old one or the new one. */
function replace(target: string, partial: string): Pick<Restored, 'kept' | 'isCertain'> {
  const isThere = existsSync(target)
  const claim = isThere ? claimFile(target) : null
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    // SQLite would apply the old side files to the new database.
    for (const suffix of sideFiles) if (existsSync(target + suffix)) renameSync(target + suffix, kept + suffix)
    if (isThere) keep(target, kept)
    renameSync(partial, target)
    syncToDisk(target)
  } finally {
    claim?.close()
  }
  return { kept: isThere ? kept : null, isCertain: !isThere || claim !== null }
}

function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept)
  } catch {
    // Not every file system supports hard links.
    renameSync(path, kept)
  }
}

/** Locks a file exclusively until it is closed. Null if the file is too damaged to be locked. */
function claimFile(path: string): ReturnType<typeof openFile> | null {
  const engine = openFile(path)
  try {
    // Leaving WAL mode works only if no other process has the file open. It also merges the log into the file.
    engine.run('pragma busy_timeout = 0')
    engine.run('pragma journal_mode = delete')
    engine.run('begin exclusive')
    return engine
  } catch (error) {
    engine.close()
    const code = error instanceof SQLiteError ? (error.code ?? '') : ''
    if (code.startsWith('SQLITE_BUSY')) throw new FileProblem(`${path} is in use. Stop the service, and restore then.`)
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(code)) return null
    throw error
  }
}
