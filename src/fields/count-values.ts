import { companyRows } from '../store/compile/company-rows.ts'
import { columnOf } from '../store/compile/compile-condition.ts'
import type { Companies } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import { isLongToLookUp } from '../store/effort.ts'
import { join, type Sql, sql } from '../store/sql.ts'
import { columnOfField } from './column-of-field.ts'
import type { FieldDocument } from './field.ts'
import { listFields } from './fields.ts'
import { takerOf } from './parse-definition.ts'

/** How many rows have a value in each field of the company, by the id of the field. The archived ones too. */
export async function countValues(db: Companies, companyId: string): Promise<Readonly<Record<string, number>>> {
  const own = db.forCompany(companyId)
  const byResource = Map.groupBy(await listFields(db, companyId), ({ resource }) => resource)
  const counted = await Promise.all(
    [...byResource].map(async ([resource, fields]) => {
      const taker = takerOf(resource)
      const counts = fields.map((field) => sql`count(${valueIn(field, own.dialect)})`)
      const statement = sql`select ${join(counts, ', ')} from ${companyRows(taker.name, own)}`
      const isLong = await isLongToLookUp(own, taker, fields.length)
      const [row] = await (isLong ? own.readLong(statement) : own.read(statement))
      return fields.map(({ id }, at) => [id, Number(row?.[at])] as const)
    }),
  )
  return Object.fromEntries(counted.flat())
}

/** The value of a field in a row, an archived one too. */
export const valueIn = (field: FieldDocument, dialect: Dialect): Sql =>
  columnOf({ alias: field.resource, dialect }, columnOfField(field, { restored: [field.name] }))
