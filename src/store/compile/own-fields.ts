import { memoize } from '../../caches/memoize.ts'
import type { Column, OwnFields, States } from '../../resources/define.ts'
import { closedValues, isGuarded } from '../../resources/transitions.ts'
import type { Dialect } from '../dialect.ts'
import { identifier, integer, join, keyword, type Piece, type Sql, sql, textLiteral } from '../sql.ts'

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
 * text; of any other row, the values are taken one by one. The last members come with the end of the object.
 */
export function shownFields({ version, columns }: OwnFields, place: Place, members: 'inner' | 'last'): Sql {
  const { alias, dialect } = place
  const text = dialect.keyText(identifier(alias, 'fields')) as Sql
  const single = columns.map((column, at) => sql`${memberStart(column, at)} || ${memberText(column, place)}`)
  const whole = members === 'last' ? sql`substr(${text}, 2)` : sql`substr(${text}, 2, length(${text}) - 2)`
  const end = members === 'last' ? [textLiteral('}')] : []
  return sql`case when ${identifier(alias, 'fields_version')} = ${integer(version)} then ${whole} else ${concatenated([...single, ...end])} end`
}

/** PostgreSQL has functions of up to 100 arguments. */
const argumentsMax = 90

/** By `||`, every part would be copied again for each that follows. */
function concatenated(parts: readonly Sql[]): Sql
function concatenated(parts: readonly Piece[]): Piece
function concatenated(parts: readonly Piece[]): Piece {
  if (parts.length <= argumentsMax) return sql`concat(${join(parts, ', ')})`
  return sql`concat(${join(parts.slice(0, argumentsMax - 1), ', ')}, ${concatenated(parts.slice(argumentsMax - 1))})`
}

const memberStart = ({ name }: Pick<Column, 'name'>, at: number): Sql =>
  textLiteral(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)

/** The JSON of one field of a row, also of one that is written for another version. */
export function memberText({ name, field }: Pick<Column, 'name' | 'field'>, { alias, dialect }: Place): Sql {
  const of = (column: 'fields' | 'archived_fields') => dialect.fieldText(name, identifier(alias, column))
  return field?.wasArchived
    ? sql`coalesce(${of('fields')}, ${of('archived_fields')}, 'null')`
    : sql`coalesce(${of('fields')}, 'null')`
}

/** What a write does to a row's fields: the new JSON of some of them, as SQL. */
export type ChangedFields = ReadonlyMap<Column, Piece>

/**
 * The new JSON of a field, or an error where that may not follow what the row has. Part of the write itself, so that it
 * sees the row as nobody else can change it any more.
 */
function guarded(column: Column, changed: Piece, place: Place): Piece {
  if (!isGuarded(column)) return changed
  const old = memberText(column, place)
  const words = sql`${textLiteral(`refused transition [${JSON.stringify(column.name)},`)} || ${old} || ',' || ${changed} || ']'`
  return sql`case when ${mayFollow(column, old, changed, place.dialect)} then ${changed} else ${place.dialect.refuse(words)} end`
}

function mayFollow(column: Column, old: Sql, changed: Piece, dialect: Dialect): Piece {
  const isNext = column.type === 'choice' ? [isPair(column, old, changed, dialect)] : []
  const isAllowed = join([...isOpen(column, old, changed, dialect), ...isNext], ' and ')
  return sql`(${old} = ${changed} or ${isAllowed})`
}

/** A closed value is kept, and not given. A list may have other values beside one that it keeps. */
function isOpen(column: Column, old: Sql, changed: Piece, { itemsOf }: Dialect): Piece[] {
  const closed = closedValues(column)
  if (closed.length === 0) return []
  if (column.type === 'choice') return [sql`${changed} not in (${literals(closed.map(toJson))})`]
  const kept = sql`select item from ${itemsOf(old)} as kept`
  return [
    sql`not exists (select 1 from ${itemsOf(changed)} as sent where item in (${literals(closed)}) and item not in (${kept}))`,
  ]
}

/** One of the transitions, which include the start of a row that has no value yet. */
function isPair(column: Column, old: Sql, changed: Piece, { position }: Dialect): Piece {
  const { starts = null, next = null } = column.field?.states ?? {}
  const isStart =
    starts === null ? sql`${old} = 'null'` : sql`(${old} = 'null' and ${changed} in (${literals(starts.map(toJson))}))`
  if (next === null) return sql`(${isStart} or ${old} <> 'null')`
  // One value, so that the statement is short enough to be kept, and no list, which an engine would sort for each write.
  const pair = sql`${lineEnd} || ${old} || '>' || ${changed} || ${lineEnd}`
  return sql`(${isStart} or ${position}(${pairsOf(next)}, ${pair}) > 0)`
}

/** No JSON of one line has it. */
const lineEnd = textLiteral('\n')

/** Each state with each that may follow it, in a line of its own. */
const pairsOf = memoize((next: Next): string => {
  const pairs = Object.entries(next).flatMap(([from, all]) => all.map((to) => `${toJson(from)}>${toJson(to)}`))
  return ['', ...pairs, ''].join('\n')
})

type Next = NonNullable<States['next']>

const toJson = (value: string): string => JSON.stringify(value)

const literals = (values: readonly string[]): Sql => join(values.map(textLiteral), ', ')

/** `fields = …, fields_version = …`: the row as this version has it, whatever it was written for. */
export function changeFields(own: OwnFields, changed: ChangedFields, place: Place): Piece {
  const { dialect } = place
  const members = own.columns.map((column, at): Piece => {
    const value = changed.get(column)
    return sql`${memberStart(column, at)} || ${value ? guarded(column, value, place) : memberText(column, place)}`
  })
  const assignments = [
    sql`"fields" = ${storedObject(members, dialect, startUnlessLater(own, place))}`,
    sql`"fields_version" = ${integer(own.version)}`,
    sql`"archived_fields" = ${archivedFields(own, place)}`,
  ]
  return join(assignments, ', ')
}

/** The values of archived fields, wherever they stand in the row. In one that was written for this version, they stand together already. */
function archivedFields({ archived, version }: OwnFields, place: Place): Piece {
  const members = archived.map((name, at) => {
    const field = { id: '', wasArchived: true, index: null }
    return sql`${memberStart({ name }, at)} || ${memberText({ name, field }, place)}`
  })
  const stored = storedObject(members, place.dialect)
  if (members.length === 0) return stored
  const { alias } = place
  return sql`case when ${identifier(alias, 'fields_version')} = ${integer(version)} then ${identifier(alias, 'archived_fields')} else ${stored} end`
}

const storedObject = (members: readonly Piece[], dialect: Dialect, start: Piece = textLiteral('{')): Piece =>
  members.length === 0 ? keyword('null') : dialect.storedJson(concatenated([start, ...members, textLiteral('}')]))

/** `{`, or an error where the row was written for a later version: it may have fields that are not known here. */
function startUnlessLater({ version }: OwnFields, { alias, dialect }: Place): Piece {
  const ofRow = identifier(alias, 'fields_version')
  const refused = dialect.refuse(sql`'refused version ' || ${ofRow}`)
  return sql`case when ${ofRow} > ${integer(version)} then ${refused} else ${textLiteral('{')} end`
}
