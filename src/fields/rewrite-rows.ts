import type { OwnFields, Resource } from '../resources/define.ts'
import { companyRows, tableOfAllCompanies, updateCompanyRows } from '../store/compile/company-rows.ts'
import { changeFields } from '../store/compile/own-fields.ts'
import type { CompanyStore, Database } from '../store/database.ts'
import { empty, fill, integer, type Sql, sql } from '../store/sql.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { columnOfField } from './column-of-field.ts'
import { fieldOf, foundSet, selectFields, selectSet } from './field-rows.ts'
import { takerOf } from './parse-definition.ts'

/** Rows that are rewritten in one transaction: others wait for it. */
const partRows = 100

/** For so long, another process may write rows for the version before. */
const settleMs = 2000

/**
 * Brings the rows of all companies to the versions of their fields, in small parts. Until then, they are read the slow
 * way. What rows show does not change, so they keep their `updated_at`, and there are no events.
 */
export async function rewriteRows(db: Database, pauseMs = settleMs): Promise<void> {
  for (;;) {
    const [behind] = await db.read(
      sql`select company_id, resource from ${tableOfAllCompanies('field_set')} where rewritten_version < version order by company_id, resource limit 1`,
    )
    if (!behind) return
    await rewriteResource(db.forCompany(String(behind[0])), takerOf(String(behind[1])), pauseMs)
  }
}

async function rewriteResource(own: CompanyStore, resource: Resource, pauseMs: number): Promise<void> {
  const fields = await currentFields(own, resource)
  do {
    for (let last: string | null = null; ; ) {
      last = await rewritePart(own, { ...resource, own: fields }, last)
      if (last === null) break
      await nextTurn()
    }
    await Bun.sleep(pauseMs)
  } while ((await own.readLong(selectBehind(own, resource, fields))).length > 0)
  // Where the fields have changed meanwhile, there is another round.
  const changes = sql`rewritten_version = ${fields.version}, restored = '[]', deleted = '[]'`
  await own.transact([
    sql`${updateCompanyRows('field_set', own, changes)} and resource = ${resource.name} and version = ${fields.version}`,
  ])
}

async function currentFields(own: CompanyStore, { name }: Resource): Promise<OwnFields> {
  const set = foundSet(await own.read(selectSet(own, name)))
  const fields = (await own.read(selectFields(own, name))).map(fieldOf)
  const isLive = ({ archived_at }: { readonly archived_at: string | null }) => archived_at === null
  return {
    version: set.version,
    columns: fields.filter(isLive).map((field) => columnOfField(field, set)),
    archived: fields.filter((field) => !isLive(field)).map((field) => field.name),
  }
}

type Taking = Resource & { readonly own: OwnFields }

/** The last of the keys, or null where no row is left. */
async function rewritePart(
  own: CompanyStore,
  { name, own: fields }: Taking,
  last: string | null,
): Promise<string | null> {
  const place = { alias: name, dialect: own.dialect }
  // The texts of columns are made of definitions, and hold no parameter.
  const changes = fill(changeFields(fields, new Map(), place), [])
  const behind = last === null ? empty : sql` and id > ${last}`
  const some = sql`select id from ${companyRows(name, own)} and fields_version <> ${integer(fields.version)}${behind} order by id limit ${integer(partRows)}`
  const [rewritten = []] = await own.transact([
    sql`${updateCompanyRows(name, own, changes)} and id in (${some}) returning id`,
  ])
  return rewritten.reduce<string | null>((most, [id]) => (most === null || String(id) > most ? String(id) : most), null)
}

const selectBehind = (own: CompanyStore, { name }: Resource, { version }: OwnFields): Sql =>
  sql`select 1 from ${companyRows(name, own)} and fields_version <> ${integer(version)} limit 1`
