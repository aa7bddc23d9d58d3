/** `50%` → `ilike.*50\%*`: what was typed means itself. */
export const containing = (text: string): string => `ilike.${around(text)}`

/** `note`, `state` and `a "b"` → `(note.ilike."*a \"b\"*",state.ilike."*a \"b\"*")` */
export const isAnyLike = (columns: readonly string[], text: string): string => {
  const quoted = `"${around(text).replace(/["\\]/g, '\\$&')}"`
  return `(${columns.map((column) => `${column}.ilike.${quoted}`).join(',')})`
}

const around = (text: string): string => `*${text.replace(/[\\%_]/g, '\\$&')}*`

/** Leaves what needs no escaping as it is: the same query is shown to people. */
export const readable = (query: URLSearchParams): string =>
  query.toString().replace(/%2C/g, ',').replace(/%28/g, '(').replace(/%29/g, ')').replace(/%3A/g, ':')
