import { type CompanyTable, companyTables, distributedTables } from './cluster/layout.ts'
import { companyRows } from './compile/company-rows.ts'
import { readCatalogue, type Table } from './copy/catalogue.ts'
import type { CompanyStore, Database } from './database.ts'
import { bytesOfColumns, countOfPart, partRowsMax } from './part-of-rows.ts'
import { identifier, integer, join, sql } from './sql.ts'

const passesMax = 5

/** Deletes a company with everything that is its own, some rows at a time. */
export async function deleteCompany(db: Database, companyId: string): Promise<void> {
  const catalogue = await readCatalogue(db.read, db.dialect.name)
  for (let pass = 1; ; pass += 1) {
    // Those that refer to others come first.
    for (const table of catalogue.toReversed()) await deleteRows(db, companyId, table)
    try {
      await db.transact([
        sql`update session set company_id = null where company_id = ${companyId}`,
        sql`delete from company where id = ${companyId}`,
      ])
      return
    } catch (error) {
      // A request that was refused just now may have been counted meanwhile.
      if (pass === passesMax || db.explain(error) !== 'foreign key') throw error
    }
  }
}

async function deleteRows(db: Database, companyId: string, table: Table): Promise<void> {
  const { name } = table
  if (name === 'credential_secret') await deleteSecrets(db, companyId)
  if (!isCompanyTable(name)) return
  const own = isDistributed(name) ? db.forRows(companyId) : db.forCompany(companyId)
  const key = table.key.map((column) => column.name).filter((column) => column !== 'company_id')
  // A table with one row for each company has no further key.
  if (key.length === 0) await own.transact([sql`delete from ${companyRows(name, own)}`])
  else while (await deleteSome(own, name, { ...table, key }));
}

const isCompanyTable = (name: string): name is CompanyTable => (companyTables as readonly string[]).includes(name)
const isDistributed = (name: string): boolean => (distributedTables as readonly string[]).includes(name)

interface KeyedRows extends Pick<Table, 'columns'> {
  readonly key: readonly string[]
}

/** In the order of their key. Whether there may be more. */
async function deleteSome(own: CompanyStore, table: CompanyTable, { columns, key }: KeyedRows): Promise<boolean> {
  const names = join(
    key.map((column) => identifier(column)),
    ', ',
  )
  const bytes = bytesOfColumns(
    own.dialect,
    columns.map(({ name }) => name),
  )
  const inOrder = sql`from ${companyRows(table, own)} order by ${names}`
  const sizes = await own.read(sql`select ${bytes} ${inOrder} limit ${integer(partRowsMax)}`)
  const count = countOfPart(sizes)
  if (count === 0) return false
  const next = sql`select ${names} ${inOrder} limit ${integer(count)}`
  await own.transact([sql`delete from ${companyRows(table, own)} and (${names}) in (${next})`])
  return count < sizes.length || sizes.length === partRowsMax
}

/** A secret has no company of its own: it is reached by its credential. */
async function deleteSecrets(db: Database, companyId: string): Promise<void> {
  const own = db.forCompany(companyId)
  await own.transact([
    sql`delete from credential_secret where credential_id in (select id from ${companyRows('credential', own)})`,
  ])
}
