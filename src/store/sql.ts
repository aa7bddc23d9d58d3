export type Value = string | number | null | Uint8Array

/** SQL text with holes, and the values for the holes. Values never become text, so nothing needs escaping. */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly Value[],
  ) {}
}

/** sql`id = ${id}` binds a value; sql`select ${columns}` puts in another piece of SQL. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | Value)[]): Sql {
  const pieces: string[] = [texts[0] ?? '']
  const values: Value[] = []
  for (const [at, part] of parts.entries()) {
    const after = texts[at + 1] ?? ''
    if (part instanceof Sql) append(pieces, values, part)
    else {
      values.push(part)
      pieces.push('')
    }
    pieces[pieces.length - 1] += after
  }
  return new Sql(pieces, values)
}

export function join(parts: readonly Sql[], separator: string): Sql {
  const pieces: string[] = ['']
  const values: Value[] = []
  for (const [at, part] of parts.entries()) {
    if (at > 0) pieces[pieces.length - 1] += separator
    append(pieces, values, part)
  }
  return new Sql(pieces, values)
}

/** Literal SQL. Takes only text written in our source: a plain `string` does not compile. */
export const keyword = <Text extends string>(text: string extends Text ? never : Text): Sql => new Sql([text], [])

/** `"project"."id"`. Any text is safe as a name. */
export const identifier = (...names: readonly string[]): Sql => new Sql([names.map(quoteName).join('.')], [])

/** A text constant that is part of the statement's shape, such as the key of a JSON object. */
export const textLiteral = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`], [])

/** A number that is part of the statement's shape. */
export const integer = (value: number): Sql => new Sql([String(Math.trunc(value))], [])

export const empty = keyword('')

/** The finished statement, with the engine's own way of numbering its parameters. */
export function render({ texts }: Sql, placeholder: (position: number) => string): string {
  let text = texts[0] ?? ''
  for (let at = 1; at < texts.length; at += 1) text += placeholder(at) + texts[at]
  return text
}

function append(pieces: string[], values: Value[], part: Sql): void {
  pieces[pieces.length - 1] += part.texts[0] ?? ''
  for (let at = 1; at < part.texts.length; at += 1) pieces.push(part.texts[at] ?? '')
  for (const value of part.values) values.push(value)
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
