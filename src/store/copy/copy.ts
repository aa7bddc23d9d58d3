import type { Database } from '../database.ts'
import type { Sql } from '../sql.ts'
import { readCatalogue, type Table } from './catalogue.ts'
import { insertRows, selectCount, selectHeaviest, selectLastKey, selectRows } from './copy-rows.ts'
import { createDigest, type Digest } from './digest.ts'
import type { Snapshot } from './snapshot.ts'
import { beginCopy, isUnfinishedCopy, unfinishedTable } from './unfinished-copy.ts'

/** Something that keeps a copy from being made, or from being good. */
export class CopyError extends Error {}

/** Told for every part how many rows are done, and of how many. */
type Advance = (done: number, total: number) => void

/** One table as each of the two engines describes it. */
export interface TablePair {
  readonly name: string
  readonly from: Table
  readonly to: Table
}

/** What a database of this version holds, in an order in which it can be written. */
export async function tablesToCopy(source: Snapshot, target: Database): Promise<readonly TablePair[]> {
  const tables = await readCatalogue(source.read, source.engine)
  const others = await readCatalogue(target.read, target.dialect.name)
  if (tables.some(({ name }) => name === unfinishedTable))
    throw new CopyError(`${source.location} is itself the target of a copy that was not finished.`)
  const wanted = others.filter(({ name }) => !ownTables.includes(name))
  const pairs = wanted.flatMap((to) => {
    const from = tables.find(({ name }) => name === to.name)
    return from && shapeOf(from) === shapeOf(to) ? [{ name: to.name, from, to }] : []
  })
  if (pairs.length < wanted.length || tables.some(({ name }) => !others.some((other) => other.name === name)))
    throw new CopyError(
      `${source.location} does not have the tables of this version. Start the service of this version on it once, and then copy.`,
    )
  return pairs
}

/** Each database has its own: which steps of the schema were taken, and whether a copy is complete. */
const ownTables = ['migration', unfinishedTable]

/** Names only, because types are each engine's own. */
const shapeOf = ({ columns, key }: Table): string =>
  [columns, key].map((list) => list.map(({ name }) => name).join()).join(';')

/** A copy goes into an empty database, or on in one where it was begun. */
export async function prepareTarget(target: Database, tables: readonly TablePair[], resume: boolean): Promise<void> {
  if (await isUnfinishedCopy(target)) {
    if (resume) return
    throw new CopyError(`A copy into ${target.location} was begun before. Add --resume to go on with it.`)
  }
  for (const table of tables) {
    const [[count] = []] = await target.read(selectCount(table.to))
    if (count !== '0')
      throw new CopyError(
        `${target.location} is not empty: ${table.name} holds ${count} row${count === '1' ? '' : 's'}. Name a new database.`,
      )
  }
  await beginCopy(target)
}

/** Goes on behind the last row that is there, in parts of one statement each. Tells what it has read, up to there as well. */
export async function copyTable(
  source: Snapshot,
  target: Database,
  { from, to }: TablePair,
  advance: Advance,
): Promise<Digest> {
  const { name } = target.dialect
  const [[total] = []] = await source.read(selectCount(from))
  const [last] = await target.read(selectLastKey(to, name))
  const parts = (select: Sql) => source.parts(select, selectHeaviest(from))
  const digest = createDigest(from.name)
  if (last) {
    for await (const part of parts(selectRows(from, source.engine, { of: 'up to', row: last }))) digest.add(part)
  }
  const missing = selectRows(from, source.engine, last ? { of: 'behind', row: last } : null)
  let writing: Promise<unknown> = Promise.resolve()
  for await (const part of parts(missing)) {
    digest.add(part)
    // One part is written while the next one is read.
    await writing
    writing = target.transact([insertRows(to, name, part)])
    writing.catch(() => {})
    advance(digest.rows, Number(total))
  }
  await writing
  return digest.finish()
}
