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
import { makePartialPath, removeFile, sides } from './partial-file.ts'
import { openSqlite } from './sqlite.ts'
import { checkFile, FileProblem, openFile, problemOf, syncToDisk } from './sqlite-file.ts'

/** Puts a copy of a backup in the place of a database file. What is put there was read to its end before. */
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
  // The seal: from here on, the file changes.
  engine.run('pragma user_version = 0')
  engine.close()
  const db = openSqlite(path)
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
}

/** There is a whole file under the name at every moment, the old one or the new one. */
function replace(target: string, partial: string): Pick<Restored, 'kept' | 'isCertain'> {
  const isThere = existsSync(target)
  const claim = isThere ? claimFile(target) : null
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    // Beside another file of the same name they would be taken for a part of that.
    for (const side of sides) if (existsSync(target + side)) renameSync(target + side, kept + side)
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
    // Not every file system has links.
    renameSync(path, kept)
  }
}

/** Keeps everybody else out of a file until it is closed. null where the file is too damaged to be locked. */
function claimFile(path: string): ReturnType<typeof openFile> | null {
  const engine = openFile(path)
  try {
    // Only who is alone with a file can end its write-ahead log, which also makes it one whole file again.
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
