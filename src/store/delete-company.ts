import { type CompanyTable, companyTables, distributedTables } from './cluster/layout.ts'
import { companyRows } from './compile/company-rows.ts'
import { readCatalogue, type Table } from './copy/catalogue.ts'
import type { CompanyStore, Database } from './database.ts'
import { identifier, integer, join, sql } from './sql.ts'

/** Few enough that others hardly wait. */
const deletedMax = 200
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

async function deleteRows(db: Database, companyId: string, { name, key }: Table): Promise<void> {
  if (name === 'credential_secret') await deleteSecrets(db, companyId)
  if (!isCompanyTable(name)) return
  const own = isDistributed(name) ? db.forRows(companyId) : db.forCompany(companyId)
  const columns = key.map((column) => column.name).filter((column) => column !== 'company_id')
  while ((await deleteSome(own, name, columns)) === deletedMax);
}

const isCompanyTable = (name: string): name is CompanyTable => (companyTables as readonly string[]).includes(name)
const isDistributed = (name: string): boolean => (distributedTables as readonly string[]).includes(name)

async function deleteSome(own: CompanyStore, table: CompanyTable, columns: readonly string[]): Promise<number> {
  const key = join(
    columns.map((column) => identifier(column)),
    ', ',
  )
  // A table with one row for each company has no further key.
  const some =
    columns.length === 0
      ? sql``
      : sql` and (${key}) in (select ${key} from ${companyRows(table, own)} limit ${integer(deletedMax)})`
  const [deleted] = await own.transact([sql`delete from ${companyRows(table, own)}${some} returning company_id`])
  return deleted?.length ?? 0
}

/** A secret has no company of its own: it is reached by its credential. */
async function deleteSecrets(db: Database, companyId: string): Promise<void> {
  const own = db.forCompany(companyId)
  await own.transact([
    sql`delete from credential_secret where credential_id in (select id from ${companyRows('credential', own)})`,
  ])
}
