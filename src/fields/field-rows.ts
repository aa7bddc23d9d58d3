import { companyRows, insertIntoCompany, updateCompanyRows } from '../store/compile/company-rows.ts'
import type { CompanyStore, Dialect, Row } from '../store/database.ts'
import { identifier, join, type Sql, sql } from '../store/sql.ts'
import type { FieldDocument } from './field.ts'

/** A field as it is stored, with what its own company does not see. */
export interface StoredField extends FieldDocument {
  /** When it was last restored: its values may still stand among those of archived fields. */
  readonly restored_at: string | null
  /** When its values began to be deleted. */
  readonly swept_at: string | null
}

const texts = ['id', 'resource', 'name', 'label', 'description', 'type', 'initial', 'start'] as const
const jsons = ['default_value', 'rules', 'choices', 'transitions'] as const
const flags = ['required', 'indexed'] as const
const times = ['indexed_at', 'archived_at', 'restored_at', 'swept_at', 'created_at', 'updated_at'] as const
const columns = [...texts, ...jsons, ...flags, ...times, 'position'] as const

/** The columns of `field`, to be read by `fieldOf`. */
export const fieldColumns = (dialect: Dialect, alias: string): Sql =>
  join(
    columns.map((name) => {
      const column = identifier(alias, name)
      return isJson(name) ? sql`${dialect.keyText(column) as Sql}` : column
    }),
    ', ',
  )

const isJson = (name: string): boolean => (jsons as readonly string[]).includes(name)

export function fieldOf(row: Row): StoredField {
  const values = columns.map((name, at) => {
    const value = row[at] ?? null
    if (name === 'position') return [name, Number(value)]
    if ((flags as readonly string[]).includes(name)) return [name, Number(value) === 1]
    return [name, isJson(name) && value !== null ? JSON.parse(String(value)) : value]
  })
  return Object.fromEntries(values)
}

/** What its company sees of it. */
export function documentOf({ restored_at, swept_at, ...field }: StoredField): FieldDocument {
  const { id, resource, name, label, description, type, position, ...rest } = field
  return { id, resource, name, label, description, type, position, ...rest }
}

/** All fields of a resource, the archived ones too, in their order. */
export const selectFields = (own: CompanyStore, resource: string): Sql =>
  sql`select ${fieldColumns(own.dialect, 'field')} from ${companyRows('field', own)} and resource = ${resource} order by position, id`

/** The parts of a field that somebody has sent or the service has set → the values of its columns. */
function assignments(part: Partial<StoredField>, dialect: Dialect): [string, Sql][] {
  return Object.entries(part).map(([name, value]) => {
    if (isJson(name))
      return [name, (value === null ? sql`${null}` : dialect.storedJson(sql`${JSON.stringify(value)}`)) as Sql]
    if (typeof value === 'boolean') return [name, dialect.isWords[value ? 'true' : 'false']]
    return [name, sql`${value as string | number | null}`]
  })
}

export function insertField(own: CompanyStore, field: StoredField): Sql {
  const values = assignments(field, own.dialect)
  const row = [sql`${own.companyId}`, ...values.map(([, value]) => value)]
  return sql`${insertIntoCompany(
    'field',
    values.map(([name]) => name),
  )} values (${join(row, ', ')})`
}

export function updateField(own: CompanyStore, id: string, part: Partial<StoredField>): Sql {
  const changes = assignments(part, own.dialect).map(([name, value]) => sql`${identifier(name)} = ${value}`)
  return sql`${updateCompanyRows('field', own, join(changes, ', '))} and id = ${id}`
}
