import { type Column, type OwnFields, typeOf } from '../../resources/define.ts'
import type { Dialect } from '../database.ts'
import { identifier, integer, join, type Piece, type Sql, sql, textLiteral } from '../sql.ts'

/** Where a piece of SQL finds the fields of a row. */
interface Place {
  /** The name of the table. */
  readonly alias: string
  readonly dialect: Dialect
}

/** The columns of a table that hold a company's fields. */
const storedNames = ['fields', 'fields_version', 'archived_fields'] as const

export const storedFields = ({ alias }: Pick<Place, 'alias'>): Sql[] =>
  storedNames.map((name) => identifier(alias, name))

/**
 * `"status":"won","value":12`: what a row shows of all fields. A row that was written for this version holds just that
 * text; of any other row, the values are taken one by one.
 */
export function shownFields({ version, columns }: OwnFields, place: Place): Sql {
  const { alias, dialect } = place
  const text = dialect.keyText(identifier(alias, 'fields')) as Sql
  const members = columns.flatMap((column, at) => [memberStart(column, at), memberText(column, place)])
  return sql`case when ${identifier(alias, 'fields_version')} = ${integer(version)} then substr(${text}, 2, length(${text}) - 2) else ${join(members, ' || ')} end`
}

const memberStart = ({ name }: Pick<Column, 'name'>, at: number): Sql =>
  textLiteral(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)

/** The JSON of one field of a row, also of one that is written for another version. */
export function memberText({ name, field }: Pick<Column, 'name' | 'field'>, { alias, dialect }: Place): Sql {
  const of = (column: 'fields' | 'archived_fields') =>
    dialect.keyText(sql`(${identifier(alias, column)} -> ${textLiteral(name)})`) as Sql
  return field?.wasArchived
    ? sql`coalesce(${of('fields')}, ${of('archived_fields')}, 'null')`
    : sql`coalesce(${of('fields')}, 'null')`
}

/** What a write does to a row's fields: the new JSON of some of them, as SQL. */
export type ChangedFields = ReadonlyMap<Column, Piece>

/** `fields = …, fields_version = …`: the row as this version has it, whatever it was written for. */
export function changeFields(own: OwnFields, changed: ChangedFields, place: Place): Piece {
  const { dialect } = place
  const members = own.columns.flatMap((column, at): Piece[] => [
    memberStart(column, at),
    changed.get(column) ?? memberText(column, place),
  ])
  const assignments = [
    sql`"fields" = ${dialect.storedJson(objectText(members))}`,
    sql`"fields_version" = ${integer(own.version)}`,
    ...(own.archived.length > 0 ? [sql`"archived_fields" = ${archivedFields(own, place)}`] : []),
  ]
  return join(assignments, ', ')
}

/** The values of archived fields, wherever they stand in the row. */
function archivedFields({ archived }: OwnFields, place: Place): Piece {
  const members = archived.flatMap((name, at) => {
    const field = { id: '', wasArchived: true }
    return [memberStart({ name }, at), memberText({ name, field }, place)]
  })
  return place.dialect.storedJson(objectText(members))
}

const objectText = (members: readonly Piece[]): Piece => sql`('{' || ${join(members, ' || ')} || '}')`

/** The JSON of all fields of a new row, by their canonical texts. */
export function fieldsText(columns: readonly Column[], valueAt: (at: number) => string | null): string {
  let text = '{'
  for (const [at, column] of columns.entries()) {
    const value = valueAt(at)
    text += `${at === 0 ? '' : ','}${JSON.stringify(column.name)}:${value === null ? 'null' : typeOf(column).toJson(value)}`
  }
  return `${text}}`
}
