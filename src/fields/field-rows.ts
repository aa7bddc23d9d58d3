import {
  companyRows,
  insertCompanyRow,
  insertIntoCompany,
  joinedCompanyRows,
  updateCompanyRows,
} from '../store/compile/company-rows.ts'
import type { CompanyStore, Row, Rows } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import { identifier, join, type Sql, sql } from '../store/sql.ts'
import type { FieldDocument } from './field.ts'

const texts = ['id', 'resource', 'name', 'label', 'description', 'type', 'initial', 'start'] as const
const jsons = ['default_value', 'rules', 'choices', 'transitions'] as const
const flags = ['required', 'indexed'] as const
const times = ['indexed_at', 'archived_at', 'created_at', 'updated_at'] as const
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

export function fieldOf(row: Row): FieldDocument {
  const values = columns.map((name, at) => {
    const value = row[at] ?? null
    if (name === 'position') return [name, Number(value)]
    if ((flags as readonly string[]).includes(name)) return [name, Number(value) === 1]
    return [name, isJson(name) && value !== null ? JSON.parse(String(value)) : value]
  })
  return Object.fromEntries(values)
}

/** All fields of a resource, the archived ones too, in their order. */
export const selectFields = (own: CompanyStore, resource: string): Sql =>
  sql`select ${fieldColumns(own.dialect, 'field')} from ${companyRows('field', own)} and resource = ${resource} order by position, id`

/** Of a company with fields in a resource. */
export interface FieldSet {
  /** What rows are written for. */
  readonly version: number
  /** Up to which all rows are rewritten. */
  readonly rewrittenVersion: number
  /** Rows are to be rewritten, or an index is to be built. */
  readonly isPending: boolean
  /** Until all rows are rewritten: fields that were restored, and those that are deleted. */
  readonly restored: readonly string[]
  readonly deleted: readonly string[]
}

const setNames = ['version', 'rewritten_version', 'pending', 'restored', 'deleted'] as const

const setColumns = (alias: string): Sql =>
  join(
    setNames.map((name) => identifier(alias, name)),
    ', ',
  )

function setOf([version, rewrittenVersion, pending, restored, deleted]: Row): FieldSet {
  return {
    version: Number(version),
    rewrittenVersion: Number(rewrittenVersion),
    isPending: Number(pending) === 1,
    restored: JSON.parse(String(restored)),
    deleted: JSON.parse(String(deleted)),
  }
}

export const selectSet = (own: CompanyStore, resource: string): Sql =>
  sql`select ${setColumns('field_set')} from ${companyRows('field_set', own)} and resource = ${resource}`

const emptySet: FieldSet = { version: 0, rewrittenVersion: 0, isPending: false, restored: [], deleted: [] }

/** What `selectSet` has found. */
export const foundSet = ([row]: Rows): FieldSet => (row ? setOf(row) : emptySet)

export function writeSet(own: CompanyStore, resource: string, set: FieldSet): Sql {
  const { version, rewrittenVersion: rewritten_version } = set
  const names = { restored: JSON.stringify(set.restored), deleted: JSON.stringify(set.deleted) }
  const changes = setNames.map((name) => sql`${identifier(name)} = excluded.${identifier(name)}`)
  return sql`${insertCompanyRow('field_set', own, { resource, version, rewritten_version, pending: Number(set.isPending), ...names })}
      on conflict (company_id, resource) do update set ${join(changes, ', ')}`
}

/** The fields of a company in all resources, of one moment: for `readSchema`. */
const selectSchema = (own: CompanyStore): Sql =>
  sql`select c.fields_version, ${setColumns('s')}, ${fieldColumns(own.dialect, 'f')}
      from company c join ${joinedCompanyRows('field', own, 'f')}
      join ${joinedCompanyRows('field_set', own, 's')} and s.resource = f.resource
      where c.id = ${own.companyId} order by f.resource, f.position, f.id`

const selectVersion = ({ companyId }: CompanyStore): Sql =>
  sql`select fields_version from company where id = ${companyId}`

export interface Schema {
  readonly version: number
  readonly fields: readonly { readonly field: FieldDocument; readonly set: FieldSet }[]
}

export async function readSchema(own: CompanyStore): Promise<Schema> {
  const rows = await own.read(selectSchema(own))
  // All fields of a company may be gone.
  const [[version] = []] = rows.length > 0 ? rows : await own.read(selectVersion(own))
  const fields = rows.map(([, ...row]) => ({
    set: setOf(row.slice(0, setNames.length)),
    field: fieldOf(row.slice(setNames.length)),
  }))
  return { version: Number(version ?? 0), fields }
}

/** The parts of a field that somebody has sent or the service has set → the values of its columns. */
function assignments(part: Partial<FieldDocument>, dialect: Dialect): [string, Sql][] {
  return Object.entries(part).map(([name, value]) => {
    if (isJson(name))
      return [name, (value === null ? sql`${null}` : dialect.storedJson(sql`${JSON.stringify(value)}`)) as Sql]
    if (typeof value === 'boolean') return [name, dialect.isWords[value ? 'true' : 'false']]
    return [name, sql`${value as string | number | null}`]
  })
}

export function insertField(own: CompanyStore, field: FieldDocument): Sql {
  const values = assignments(field, own.dialect)
  const row = [sql`${own.companyId}`, ...values.map(([, value]) => value)]
  return sql`${insertIntoCompany(
    'field',
    values.map(([name]) => name),
  )} values (${join(row, ', ')})`
}

export function updateField(own: CompanyStore, id: string, part: Partial<FieldDocument>): Sql {
  const changes = assignments(part, own.dialect).map(([name, value]) => sql`${identifier(name)} = ${value}`)
  return sql`${updateCompanyRows('field', own, join(changes, ', '))} and id = ${id}`
}
