/** `50%` → `ilike.*50\%*`: what was typed means itself. */
export const containing = (text: string): string => `ilike.${around(text)}`

/** `note`, `state` and `a "b"` → `(note.ilike."*a \"b\"*",state.ilike."*a \"b\"*")` */
export const isAnyLike = (columns: readonly string[], text: string): string => {
  const pattern = quoted(around(text))
  return `(${columns.map((column) => `${column}.ilike.${pattern}`).join(',')})`
}

/** `a "b"` → `"a \"b\""`: within a list, what was typed means itself. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const around = (text: string): string => `*${text.replace(/[\\%_]/g, '\\$&')}*`

/** Leaves what needs no escaping as it is: the same query is shown to people. */
export const readable = (query: URLSearchParams): string =>
  query.toString().replace(/%2C/g, ',').replace(/%28/g, '(').replace(/%29/g, ')').replace(/%3A/g, ':')
