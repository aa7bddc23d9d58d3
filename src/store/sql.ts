import { listOf, type Operand } from '../request/operand.ts'
import { asItIs } from '../types/column-type.ts'
import { isUuid } from '../types/uuid.ts'
import type { CompanyTable } from './cluster/layout.ts'

export type Value = string | number | null | Uint8Array

/** A value that is known when the statement is run: its number among those of the request, and how the engine takes it. */
export class Parameter {
  constructor(
    readonly param: number,
    readonly bind: (value: Operand) => Value,
  ) {}
}

type Hole = Value | Parameter

/** SQL text with holes, and the values for the holes. Values never become text, so nothing needs escaping. */
export class Sql<Held extends Hole = Value> {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly Held[],
    /** As the engine takes it, where it was prepared. */
    readonly text: string | null = null,
  ) {}
}

/** SQL with parameters. No engine takes it before these are filled in. */
export type Piece = Sql<Hole>

/** sql`id = ${id}` binds a value; sql`select ${columns}` puts in another piece of SQL. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | Value)[]): Sql
export function sql(texts: TemplateStringsArray, ...parts: readonly (Piece | Hole)[]): Piece
export function sql(texts: TemplateStringsArray, ...parts: readonly (Piece | Hole)[]): Piece {
  const draft = new Draft()
  draft.last = texts[0] ?? ''
  for (let at = 0; at < parts.length; at += 1) {
    draft.add(parts[at] ?? null)
    draft.last += texts[at + 1] ?? ''
  }
  return draft.finish()
}

export function join(parts: readonly Sql[], separator: string): Sql
export function join(parts: readonly Piece[], separator: string): Piece
export function join(parts: readonly Piece[], separator: string): Piece {
  const draft = new Draft()
  for (let at = 0; at < parts.length; at += 1) {
    if (at > 0) draft.last += separator
    draft.add(parts[at] ?? empty)
  }
  return draft.finish()
}

/** `lower($)` → the same with a value in the place of each `$`. */
export function around(template: string, value: Sql): Sql
export function around(template: string, value: Piece): Piece
export function around(template: string, value: Piece): Piece {
  const [first = empty, ...others] = template.split('$').map(definedSql)
  return others.reduce<Piece>((all, part) => sql`${all}${value}${part}`, first)
}

/** The same with another piece in the place of each `@`, such as a time zone. */
export function aroundBoth(template: string, value: Sql, other: Sql): Sql
export function aroundBoth(template: string, value: Piece, other: Piece): Piece
export function aroundBoth(template: string, value: Piece, other: Piece): Piece {
  return template
    .split('@')
    .map((part) => around(part, value))
    .reduce((all, part) => sql`${all}${other}${part}`)
}

/** Pieces of text with a hole behind each but the last. */
class Draft {
  private readonly texts: string[] = []
  private readonly values: Hole[] = []
  last = ''

  add(part: Piece | Hole): void {
    if (!(part instanceof Sql)) {
      this.texts.push(this.last)
      this.values.push(part)
      this.last = ''
      return
    }
    const { texts, values } = part
    this.last += texts[0] ?? ''
    for (let at = 1; at < texts.length; at += 1) {
      this.texts.push(this.last)
      this.last = texts[at] ?? ''
    }
    for (let at = 0; at < values.length; at += 1) this.values.push(values[at] ?? null)
  }

  finish(): Piece {
    this.texts.push(this.last)
    return new Sql(this.texts, this.values)
  }
}

/** Literal SQL. Takes only text written in our source: a plain `string` does not compile. */
export const keyword = <Text extends string>(text: string extends Text ? never : Text): Sql => new Sql([text], [])

/** SQL that stands in a definition, as that of a column type. Never anything that a client has sent. */
export const definedSql = (text: string): Sql => new Sql([text], [])

/** Any name but that of a company's table, which `company-rows.ts` puts into SQL together with the company. */
type Name<Given> = Given extends CompanyTable ? never : Given

/** `"person"."id"`. Any text is safe as a name. */
export const identifier = <const Given extends readonly string[]>(
  ...names: { readonly [At in keyof Given]: Name<Given[At]> } & Given
): Sql => new Sql([names.map(quoteName).join('.')], [])

/** `person` → `"person"`, for SQL and for settings that hold names. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text constant that is part of the statement's shape, such as the key of a JSON object. */
export const textLiteral = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`], [])

/** A number that is part of the statement's shape. */
export const integer = (value: number): Sql => new Sql([String(Math.trunc(value))], [])

export const empty = keyword('')

/** One value of the request, in a spelling that the engine takes. */
export const parameter = (param: number, spell = asItIs): Parameter =>
  new Parameter(param, (value) => {
    if (typeof value === 'object') throw new Error('A list stands where one value is expected')
    return spell(value)
  })

/** A list among the values of the request. */
export const listParameter = (param: number, spell: (texts: readonly string[]) => Value): Parameter =>
  new Parameter(param, (value) => spell(listOf(value)))

/** Whose rows a statement is about. */
export const company = parameter(0)

/** Rendered once, to be filled in for any request. */
export const prepare = (piece: Piece, placeholder: (position: number) => string): Piece =>
  new Sql(piece.texts, piece.values, render(piece, placeholder))

/** The statement of one request, by the values that it has for the parameters. */
export function fill({ texts, values: holes, text }: Piece, values: readonly (Operand | null)[]): Sql {
  const filled: Value[] = []
  for (let at = 0; at < holes.length; at += 1) {
    const hole = holes[at] ?? null
    filled.push(hole instanceof Parameter ? bound(hole, values[hole.param]) : hole)
  }
  return new Sql(texts, filled, text)
}

function bound({ param, bind }: Parameter, value: Operand | null | undefined): Value {
  if (value === undefined) throw new Error(`A statement has a parameter ${param}, and its request has no such value`)
  return value === null ? null : bind(value)
}

/** The finished statement, with the engine's own way of numbering its parameters. */
export function render({ texts, text: prepared }: Piece, placeholder: (position: number) => string): string {
  if (prepared !== null) return prepared
  let text = texts[0] ?? ''
  for (let at = 1; at < texts.length; at += 1) text += placeholder(at) + texts[at]
  return text
}

/** The same statement with the ids at these places as constants of its text. */
export function withConstants(
  { texts, values }: Sql,
  places: readonly number[],
  placeholder: (position: number) => string,
): Sql {
  const longer: string[] = []
  const others: Value[] = []
  let last = texts[0] ?? ''
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? null
    const next = texts[at + 1] ?? ''
    if (places.includes(at)) {
      last += idLiteral(value) + next
    } else {
      longer.push(last)
      others.push(value)
      last = next
    }
  }
  longer.push(last)
  return new Sql(longer, others, render(new Sql(longer, others), placeholder))
}

/** An id needs no escaping. Anything else stays a value. */
function idLiteral(value: Value): string {
  if (typeof value !== 'string' || !isUuid(value)) throw new Error('Only an id can be a constant')
  return `'${value}'`
}
