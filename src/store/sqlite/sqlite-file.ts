import { Database as Engine, SQLiteError } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { migrations } from '../../../migrations/index.ts'
import { tableOfAllCompanies } from '../compile/company-rows.ts'
import type { FileReport } from '../file-report.ts'
import { render, sql } from '../sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/** Why a file cannot be used. The message is for the user of the command line. */
export class FileProblem extends Error {}

/** Opening a missing file would create an empty database. */
export function requireFile(path: string): void {
  if (existsSync(path)) return
  throw new FileProblem(
    `There is no database file ${resolve(path)}. Set DATABASE_URL to the file that the service uses, or start the service to create this one.`,
  )
}

/** Reads the whole database file. Throws if it is damaged, not ours, or newer than this program. */
export function checkFile(path: string, name: string): FileReport {
  try {
    const engine = openFile(path)
    try {
      const migration = lastMigration(engine, name)
      refuseDamage(engine, name)
      return { bytes: statSync(path).size, migration, rows: rowCounts(engine) }
    } finally {
      engine.close()
    }
  } catch (error) {
    throw problemOf(name, error)
  }
}

/** An error of SQLite or of the file system → a sentence about the file. */
export function problemOf(name: string, error: unknown): unknown {
  const isKnown = error instanceof SQLiteError || (error instanceof Error && 'syscall' in error)
  if (!isKnown || !('code' in error)) return error
  return new FileProblem(`${name} ${fileProblems[String(error.code)] ?? `cannot be used: ${error.message}.`}`)
}

/** Opens an existing file; never creates one. */
export function openFile(path: string): Engine {
  const engine = new Engine(path, { readwrite: true, create: false, strict: true })
  engine.run('pragma busy_timeout = 5000')
  return engine
}

const fileProblems: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'is not a database.',
  SQLITE_CORRUPT: 'is damaged. Restore a backup that is sound.',
  SQLITE_BUSY: 'is locked by another command. Try again when it has ended.',
  SQLITE_FULL: 'cannot be written: the disk is full.',
  ENOSPC: 'cannot be written: the disk is full.',
  ENOENT: 'cannot be written: its directory does not exist. Make it first, for yourself alone: mkdir -m 700.',
}

/** Makes a file and its directory entry survive a power failure. */
export function syncToDisk(path: string): void {
  sync(path, 'r+')
  // Windows cannot open a directory.
  if (process.platform !== 'win32') sync(dirname(path), 'r')
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags)
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function lastMigration(engine: Engine, name: string): number {
  const isOurs = engine.query("select 1 from sqlite_schema where type = 'table' and name = 'migration'").get() !== null
  const done = isOurs ? engine.query('select number, name from migration order by number').values() : []
  const known = migrations.map((step) => `${step.number} ${step.name}`)
  const [last] = done.at(-1) ?? []
  const newest = migrations.at(-1)?.number ?? 0
  if (Number(last) > newest) {
    throw new FileProblem(
      `${name} was made by a newer version of the program: its schema is at step ${last}, and this version knows ${newest}. Use the newer version.`,
    )
  }
  if (done.length === 0 || done.some((step, at) => step.join(' ') !== known[at])) {
    throw new FileProblem(`${name} is a database, but not one of the Project API.`)
  }
  return Number(last)
}

function refuseDamage(engine: Engine, name: string): void {
  const [damage] = engine.query('pragma integrity_check(1)').values().flat()
  if (damage !== 'ok') throw new FileProblem(`${name} is damaged: ${damage}. Restore a backup that is sound.`)
  const [orphan] = engine.query('pragma foreign_key_check').values()
  if (orphan) {
    throw new FileProblem(
      `${name} is damaged: a row of ${orphan[0]} points at a missing row of ${orphan[2]}. Restore a backup that is sound.`,
    )
  }
}

function rowCounts(engine: Engine): Record<string, number> {
  const tables = engine
    .query("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .values()
    .map(([name]) => String(name))
  const count = (table: string) =>
    engine.query(render(sql`select count(*) from ${tableOfAllCompanies(table)}`, sqliteDialect.placeholder)).values()
  return Object.fromEntries(tables.map((table) => [table, Number(count(table)[0]?.[0])]))
}
