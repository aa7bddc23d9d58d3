import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { foreignKeys } from '../resources/relations.ts'
import type { Dialect } from './dialect.ts'

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
  return table + indexes.join('')
}

/** A place for the values of a company's own fields. */
const fieldColumns: Record<Dialect['name'], readonly string[]> = {
  sqlite: ['fields text', 'fields_version integer not null default 0', 'archived_fields text'],
  postgres: ['fields json', 'fields_version bigint not null default 0', 'archived_fields json'],
}

const defaultOf = ({ default: value }: Column): string =>
  value === undefined ? '' : ` default '${value.replaceAll("'", "''")}'`

function checks(table: string, { name, minLength, maxLength }: Column): string[] {
  if (minLength === undefined || maxLength === undefined) return []
  return [`constraint ${table}_${name}_check check (length(${name}) between ${minLength} and ${maxLength})`]
}
