import type { OwnFields, Resource } from '../resources/define.ts'
import { companyRows, updateCompanyRows } from '../store/compile/company-rows.ts'
import { changeFields } from '../store/compile/own-fields.ts'
import type { CompanyStore } from '../store/database.ts'
import { rowsWithin } from '../store/own-bytes.ts'
import { empty, fill, integer, join, sql } from '../store/sql.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { columnOfField } from './column-of-field.ts'
import { fieldOf, foundSet, selectFields, selectSet } from './field-rows.ts'

/** Rows that are looked at together, and rewritten in one transaction: others wait for it. */
const partRows = 100
/** What is read of them: each field is looked up in all that a row has. */
const readBytesMax = 10_000_000

/** Where a rewrite goes on, and when it is to stop. */
interface Stretch {
  /** The key of the last row that was looked at. */
  readonly behind: string | null
  readonly untilMs: number
}

const whole: Stretch = { behind: null, untilMs: Number.POSITIVE_INFINITY }

/**
 * Brings the rows of a company to the version of its fields. What they show does not change, so they keep their `updated_at`,
 * and there are no events. Returns the key of the row behind which it stopped, or null where no row is left.
 */
export async function rewriteRows(
  own: CompanyStore,
  resource: Resource,
  fields: OwnFields,
  { behind, untilMs }: Stretch = whole,
): Promise<string | null> {
  for (let last = behind; ; await nextTurn()) {
    last = await rewritePart(own, { ...resource, own: fields }, last)
    if (last === null || performance.now() > untilMs) return last
  }
}

/** Whether every row has been brought to this version before. */
export const isRewritten = async (own: CompanyStore, { name }: Resource, { version }: OwnFields): Promise<boolean> =>
  foundSet(await own.read(selectSet(own, name))).rewrittenVersion === version

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
  const behind = last === null ? empty : sql` and id > ${last}`
  const limit = await partOf(own, { name, own: fields })
  const rows = await own.read(
    sql`select id, fields_version from ${companyRows(name, own)}${behind} order by id limit ${integer(limit)}`,
  )
  const older = rows.filter(([, version]) => Number(version) < fields.version).map(([id]) => sql`${id ?? null}`)
  if (older.length > 0) {
    const place = { alias: name, dialect: own.dialect }
    // The texts of columns are made of definitions, and hold no parameter.
    const changes = fill(changeFields(fields, new Map(), place), [])
    const isOlder = sql` and fields_version < ${integer(fields.version)}`
    await own.transact([sql`${updateCompanyRows(name, own, changes)}${isOlder} and id in (${join(older, ', ')})`])
  }
  const [id = null] = rows.at(-1) ?? []
  return rows.length < limit || id === null ? null : String(id)
}

/** How many rows are looked at together. */
async function partOf(
  own: CompanyStore,
  { name, own: { columns, archived } }: Pick<Taking, 'name' | 'own'>,
): Promise<number> {
  const lookUps = columns.length + 2 * archived.length
  return rowsWithin(await own.ownBytesOf(name), readBytesMax / Math.max(1, lookUps), partRows)
}

/** Whether another process has written rows for a version before. */
export async function hasOlder(own: CompanyStore, { name }: Resource, { version }: OwnFields): Promise<boolean> {
  const older = sql`select 1 from ${companyRows(name, own)} and fields_version < ${integer(version)} limit 1`
  return (await own.readLong(older)).length > 0
}
