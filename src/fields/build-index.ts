import type { Resource } from '../resources/define.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import { columnOf } from '../store/compile/compile-condition.ts'
import { indexEntries } from '../store/compile/index-entries.ts'
import type { CompanyStore, Steps } from '../store/database.ts'
import { rowsWithin } from '../store/own-bytes.ts'
import { empty, integer, type Sql, sql } from '../store/sql.ts'
import { nextTurn } from '../traffic/next-turn.ts'
import { columnOfField } from './column-of-field.ts'
import type { FieldDocument } from './field.ts'
import { fieldOf, selectFields } from './field-rows.ts'

/** Rows that are indexed in one transaction: others wait for it. */
const partRows = 200
/** What is read of them. */
const readBytesMax = 5_000_000

/**
 * Builds the indexes that the fields of a resource are to have. Meanwhile every write adds its own entries; an index is
 * used once it has all rows.
 */
export async function buildIndexes(own: CompanyStore, resource: Resource): Promise<readonly FieldDocument[]> {
  const fields = (await own.read(selectFields(own, resource.name))).map(fieldOf).filter(isUnbuilt)
  for (const field of fields) {
    for (let last: string | null = null; ; await nextTurn()) {
      last = await buildPart(own, resource, field, last)
      if (last === null) break
    }
  }
  return fields
}

export const isUnbuilt = ({ indexed, indexed_at, archived_at }: FieldDocument): boolean =>
  indexed && indexed_at === null && archived_at === null

/** Whether an index that is no longer wanted is still kept. */
export const isEnding = ({ indexed, indexed_at }: FieldDocument): boolean => !indexed && indexed_at !== null

/** Adds the entries of the next rows. Returns the last of their keys, or null where no row is left. */
async function buildPart(
  own: CompanyStore,
  resource: Resource,
  field: FieldDocument,
  behind: string | null,
): Promise<string | null> {
  const column = columnOfField(field, { restored: [field.name] })
  const limit = rowsWithin(await own.ownBytesOf(resource.name), readBytesMax, partRows)
  let last: string | null = null
  function* work(): Steps {
    const [rows = []] = yield [selectPart(own, resource, field, { behind, limit })]
    const entries = rows.map(([key, value]) => ({
      column,
      key: String(key),
      value: value === null ? null : String(value),
    }))
    last = entries.at(-1)?.key ?? null
    if (last !== null) yield indexEntries(entries, own)
  }
  await own.transactInSteps(work())
  return last
}

/** The keys and the values of some rows, which nobody changes until their entries are there. */
function selectPart(
  { dialect, ...own }: CompanyStore,
  { name }: Resource,
  field: FieldDocument,
  { behind, limit }: { readonly behind: string | null; readonly limit: number },
): Sql {
  const column = columnOfField(field, { restored: [field.name] })
  // The text of a column is made of its definition, and holds no parameter.
  const value = dialect.textOf(column, columnOf({ alias: name, dialect }, column)) as Sql
  const after = behind === null ? empty : sql` and id > ${behind}`
  return sql`select id, ${value} from ${companyRows(name, own)}${after} order by id limit ${integer(limit)}${dialect.forUpdate}`
}
