import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { foreignKeys } from '../resources/relations.ts'
import type { Dialect } from './dialect.ts'
import { shortBytes } from './own-bytes.ts'

/**
 * A definition → the table that it asks for. The company leads every key, so that a row can only point at rows of its own company.
 * Migrations are written from this and then stay as they are; a test compares what they lead to with what this says.
 */
export function tableScript(resource: Resource, engine: Dialect['name']): string {
  const { name, primaryKey } = resource
  const columns = [...resource.columns.values()]
  const keys = foreignKeys(resource)
  const company = keys.length === 0 ? ' references company (id)' : ''
  const parts = [
    `company_id ${engine === 'sqlite' ? 'text' : 'uuid'} not null${company}`,
    ...columns.map(
      (column) =>
        `${column.name} ${typeOf(column)[engine].column}${defaultOf(column)}${column.nullable ? '' : ' not null'}`,
    ),
    ...(resource.takesFields ? fieldColumns[engine] : []),
    `primary key (company_id, ${primaryKey.name})`,
    ...keys.map(
      ({ constraint, own, target, other }) =>
        `constraint ${constraint} foreign key (company_id, ${own.name}) references ${target.name} (company_id, ${other.name})`,
    ),
    ...columns.flatMap((column) => checks(name, column)),
  ]
  const table = `create table ${name} (\n  ${parts.join(',\n  ')}\n)${engine === 'sqlite' ? ' strict, without rowid' : ''};\n`
  const indexes = keys.map(
    ({ own }) => `\ncreate index ${name}_by_${own.name} on ${name} (company_id, ${own.name}, ${primaryKey.name});\n`,
  )
  const long = resource.takesFields && engine === 'sqlite' ? [longRowsIndex(name)] : []
  return table + [...indexes, ...long].join('')
}

/** A place for the values of a company's own fields. */
const fieldColumns: Record<Dialect['name'], readonly string[]> = {
  sqlite: ['fields text', 'fields_version integer not null default 0', 'archived_fields text'],
  postgres: ['fields json', 'fields_version bigint not null default 0', 'archived_fields json'],
}

/** What the own fields of a row take in SQLite. */
export const ownBytesSql = 'ifnull(octet_length(fields), 0) + ifnull(octet_length(archived_fields), 0)'

/** To find the longest rows of a company, which would keep our own thread busy. */
const longRowsIndex = (name: string): string =>
  `\ncreate index ${name}_by_own_bytes on ${name} (company_id, ${ownBytesSql}) where ${ownBytesSql} > ${shortBytes};\n`

const defaultOf = ({ default: value }: Column): string =>
  value === undefined ? '' : ` default '${value.replaceAll("'", "''")}'`

function checks(table: string, { name, minLength, maxLength }: Column): string[] {
  if (minLength === undefined || maxLength === undefined) return []
  return [`constraint ${table}_${name}_check check (length(${name}) between ${minLength} and ${maxLength})`]
}
