import { closeBrace, closeBracket, colon, comma, endOfString, openBrace, openBracket, quote } from './json-signs.ts'

/** `{"a": 1.0, "b": [2]}` → its members as they were written: a `1.0`, b `[2]`. Takes only what `parseJson` takes. */
export function writtenMembers(text: string, start: number): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  let depth = 0
  let name: string | null = null
  let valueStart = 0
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === quote) {
      const end = endOfString(text, at)
      if (depth === 1) name ??= JSON.parse(text.slice(at, end + 1))
      at = end
    } else if (sign === openBrace || sign === openBracket) depth += 1
    else if (sign === colon && depth === 1) valueStart = at + 1
    else if (sign === comma || sign === closeBrace || sign === closeBracket) {
      if (depth === 1 && name !== null) members.set(name, text.slice(valueStart, at).trim())
      if (depth === 1) name = null
      if (sign !== comma) depth -= 1
      if (depth === 0) break
    }
  }
  return members
}
