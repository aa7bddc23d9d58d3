import { failure } from '../errors/index.ts'
import { countOf } from '../request/operand.ts'
import { companyRows, ofRequest } from '../store/compile/company-rows.ts'
import type { CompanyStore } from '../store/database.ts'
import { fill, integer, type Sql, sql } from '../store/sql.ts'
import { columnOfField } from './column-of-field.ts'
import { valueIn } from './count-values.ts'
import type { Definition, FieldDocument } from './field.ts'
import { indexedLengthMax, takerOf } from './parse-definition.ts'
import { invalid } from './parse-values.ts'

/**
 * Refuses a change of a field that its rows do not fit. It may read all rows of the company, so it comes before the
 * transaction, which holds up others.
 */
export async function requireFittingRows(own: CompanyStore, field: FieldDocument, after: Definition): Promise<void> {
  const removed = (field.choices ?? []).filter(({ value }) => !after.choices?.some((one) => one.value === value))
  if (removed.length > 0) {
    const values = removed.map(({ value }) => value)
    const [row] = await own.readLong(withOneOf(own, field, values))
    if (row) throw failure.choiceInUse(values.find((value) => hasValue(field, String(row[0]), value)) ?? '')
  }
  if (after.indexed && !field.indexed && (field.type === 'text' || field.type === 'url'))
    await refuseLonger(own, field, { most: indexedLengthMax, hint: 'before the field is indexed', part: 'indexed' })
  // The longest row that there may be is known by the definitions.
  const most = after.rules.max_length ?? Number.POSITIVE_INFINITY
  if (most < (field.rules.max_length ?? 0))
    await refuseLonger(own, field, { most, hint: 'before the limit is lowered', part: 'rules' })
}

async function refuseLonger(
  own: CompanyStore,
  field: FieldDocument,
  { most, hint, part }: { readonly most: number; readonly hint: string; readonly part: string },
): Promise<void> {
  const [row] = await own.readLong(withLongText(own, field, most))
  if (row)
    throw invalid(`There are rows with more than ${most} characters in "${field.name}"`, `Shorten them ${hint}.`, part)
}

/** The value of a row that has one of these, alone or among others. */
function withOneOf({ companyId, dialect }: CompanyStore, field: FieldDocument, values: readonly string[]): Sql {
  const isList = field.type === 'choices'
  const value = valueIn(field, dialect)
  const column = columnOfField(field, { restored: [field.name] })
  const found = dialect.compare({
    column,
    value,
    operator: isList ? 'ov' : 'in',
    quantifier: null,
    language: 'simple',
    operand: { param: 1, count: isList ? 1 : countOf(values) },
  })
  const shown = dialect.textOf(column, value)
  const rows = sql`select ${shown} from ${companyRows(takerOf(field.resource).name, ofRequest)} and ${found} limit 1`
  return fill(rows, [companyId, isList ? JSON.stringify(values) : values])
}

const hasValue = ({ type }: FieldDocument, stored: string, value: string): boolean =>
  type === 'choices' ? JSON.parse(stored).includes(value) : stored === value

const withLongText = (own: CompanyStore, field: FieldDocument, most: number): Sql =>
  sql`select 1 from ${companyRows(takerOf(field.resource).name, own)} and length(${valueIn(field, own.dialect)}) > ${integer(most)} limit 1`
