import { service } from '../people/audit.ts'
import { companyRows, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { CompanyStore, Database } from '../store/database.ts'
import { deleteInParts } from '../store/delete-in-parts.ts'
import { integer, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { audited, changeSchema } from './change-schema.ts'

/** How long the values of an archived field are kept. */
const keptMs = 30 * 24 * 3_600_000

/** Deletes fields that were archived long ago. Their values go when the rows are rewritten; only then are the names free. */
export async function deleteFields(db: Database, now = new Date()): Promise<void> {
  const ends = timestampText(new Date(now.getTime() - keptMs))
  const rows = await db.readLong(
    sql`select company_id, resource, id from ${tableOfAllCompanies('field')} where archived_at < ${ends} order by company_id, id`,
  )
  for (const [companyId, resource, id] of rows) {
    await deleteField(db, { companyId: String(companyId), resource: String(resource), id: String(id), ends })
    await deleteValues(db.forCompany(String(companyId)), String(id))
  }
}

interface Ended {
  readonly companyId: string
  readonly resource: string
  readonly id: string
  readonly ends: string
}

/** Unless it was restored meanwhile. */
async function deleteField(db: Database, { companyId, resource, id, ends }: Ended): Promise<void> {
  await changeSchema(db, { companyId, resource }, ({ own, fields, set }) => {
    const field = fields.find((one) => one.id === id)
    if (!field?.archived_at || Date.parse(field.archived_at) >= Date.parse(ends))
      return { statements: [], result: null }
    const { name } = field
    return {
      statements: [
        sql`delete from ${companyRows('field', own)} and id = ${id}`,
        audited(own, service, 'deleted', name, { field_id: id, resource }),
      ],
      set: { deleted: [...set.deleted, name], restored: set.restored.filter((one) => one !== name) },
      result: null,
    }
  })
}

const partRows = 500

/** What the index has of it, in small parts. */
async function deleteValues(own: CompanyStore, fieldId: string): Promise<void> {
  const some = sql`select row_id from ${companyRows('field_value', own)} and field_id = ${fieldId} limit ${integer(partRows)}`
  const deletion = sql`delete from ${companyRows('field_value', own)} and field_id = ${fieldId} and row_id in (${some}) returning row_id`
  await deleteInParts(own, deletion, partRows)
}
