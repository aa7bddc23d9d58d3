import type { CompanyTable } from './cluster/layout.ts'

export type Value = string | number | null | Uint8Array

/** SQL text with holes, and the values for the holes. Values never become text, so nothing needs escaping. */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly Value[],
    /** Of a statement that is run again and again: what `render` makes of it. */
    readonly rendered: string | null = null,
  ) {}
}

/** sql`id = ${id}` binds a value; sql`select ${columns}` puts in another piece of SQL. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | Value)[]): Sql {
  const draft = new Draft()
  draft.last = texts[0] ?? ''
  for (let at = 0; at < parts.length; at += 1) {
    draft.add(parts[at] ?? null)
    draft.last += texts[at + 1] ?? ''
  }
  return draft.finish()
}

export function join(parts: readonly Sql[], separator: string): Sql {
  const draft = new Draft()
  for (let at = 0; at < parts.length; at += 1) {
    if (at > 0) draft.last += separator
    draft.add(parts[at] ?? empty)
  }
  return draft.finish()
}

/** `lower($)` → the same with a value in the place of each `$`. */
export function around(template: string, value: Sql): Sql {
  const [first = empty, ...others] = template.split('$').map(definedSql)
  return others.reduce((all, part) => sql`${all}${value}${part}`, first)
}

/** Pieces of text with a hole behind each but the last. */
class Draft {
  private readonly texts: string[] = []
  private readonly values: Value[] = []
  last = ''

  add(part: Sql | Value): void {
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

  finish(): Sql {
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

/** A text constant that is part of the statement's shape, such as the key of a JSON object. */
export const textLiteral = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`], [])

/** A number that is part of the statement's shape. */
export const integer = (value: number): Sql => new Sql([String(Math.trunc(value))], [])

export const empty = keyword('')

/** The finished statement, with the engine's own way of numbering its parameters. */
export function render({ texts, rendered }: Sql, placeholder: (position: number) => string): string {
  if (rendered !== null) return rendered
  let text = texts[0] ?? ''
  for (let at = 1; at < texts.length; at += 1) text += placeholder(at) + texts[at]
  return text
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
