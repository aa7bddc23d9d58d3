import { companyRows, ofRequest } from '../store/compile/company-rows.ts'
import { columnOf } from '../store/compile/compile-condition.ts'
import type { Companies, CompanyStore, Dialect } from '../store/database.ts'
import { fill, type Sql, sql } from '../store/sql.ts'
import { columnOfField } from './column-of-field.ts'
import type { FieldRef } from './field.ts'
import type { StoredField } from './field-rows.ts'
import { findField } from './fields.ts'
import { takerOf } from './parse-definition.ts'

/** How many rows have a value in the field. */
export async function countValues(db: Companies, ref: FieldRef): Promise<number> {
  const field = await findField(db, ref)
  const own = db.forCompany(ref.companyId)
  const { name } = takerOf(field.resource)
  const statement = sql`select count(*) from ${companyRows(name, own)} and ${valueIn(field, own.dialect)} is not null`
  const [[count] = []] = await own.readReport([name], statement)
  return Number(count)
}

/** A row that has the value, alone or among others. */
export function hasValue({ companyId, dialect }: CompanyStore, field: StoredField, value: string): Sql {
  const isList = field.type === 'choices'
  const found = dialect.compare({
    column: columnOfField(field),
    value: valueIn(field, dialect),
    operator: isList ? 'cs' : 'eq',
    quantifier: null,
    language: 'simple',
    operand: { param: 1, count: 1 },
  })
  const rows = sql`select 1 from ${companyRows(takerOf(field.resource).name, ofRequest)} and ${found} limit 1`
  return fill(rows, [companyId, isList ? JSON.stringify([value]) : value])
}

const valueIn = (field: StoredField, dialect: Dialect): Sql =>
  columnOf({ alias: field.resource, dialect }, columnOfField(field))
