import type { OwnFields, Resource } from '../resources/define.ts'
import { companyRows, updateCompanyRows } from '../store/compile/company-rows.ts'
import { changeFields } from '../store/compile/own-fields.ts'
import type { CompanyStore } from '../store/database.ts'
import { empty, fill, integer, sql } from '../store/sql.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { columnOfField } from './column-of-field.ts'
import { fieldOf, foundSet, selectFields, selectSet } from './field-rows.ts'

/** Rows that are rewritten in one transaction: others wait for it. */
const partRows = 100

/** Brings the rows of a company to the version of its fields. What they show does not change, so they keep their `updated_at`, and there are no events. */
export async function rewriteRows(own: CompanyStore, resource: Resource, fields: OwnFields): Promise<void> {
  for (let last: string | null = null; ; await nextTurn()) {
    last = await rewritePart(own, { ...resource, own: fields }, last)
    if (last === null) return
  }
}

export async function currentFields(own: CompanyStore, { name }: Resource): Promise<OwnFields> {
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

/** Rows of a later version stay as they are: they may have fields that are not known here. Returns the last of the keys, or null where no row is left. */
async function rewritePart(
  own: CompanyStore,
  { name, own: fields }: Taking,
  last: string | null,
): Promise<string | null> {
  const place = { alias: name, dialect: own.dialect }
  // The texts of columns are made of definitions, and hold no parameter.
  const changes = fill(changeFields(fields, new Map(), place), [])
  const behind = last === null ? empty : sql` and id > ${last}`
  const some = sql`select id from ${companyRows(name, own)} and fields_version < ${integer(fields.version)}${behind} order by id limit ${integer(partRows)}`
  const [rewritten = []] = await own.transact([
    sql`${updateCompanyRows(name, own, changes)} and id in (${some}) returning id`,
  ])
  return rewritten.reduce<string | null>((most, [id]) => (most === null || String(id) > most ? String(id) : most), null)
}

/** Whether another process has written rows for a version before. */
export async function hasOlder(own: CompanyStore, { name }: Resource, { version }: OwnFields): Promise<boolean> {
  const older = sql`select 1 from ${companyRows(name, own)} and fields_version < ${integer(version)} limit 1`
  return (await own.readLong(older)).length > 0
}
