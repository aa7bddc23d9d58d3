import { endOfString } from './parse-json.ts'

const [quote, comma, colon] = [34, 44, 58]
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

/** `[{"a": 1.0, "b": [2]}]` → for each row, its members as they were written: a `1.0`, b `[2]`. Takes only what `parseJson` takes. */
export function* writtenRows(text: string): Generator<ReadonlyMap<string, string>, undefined> {
  const rowDepth = text.trimStart().startsWith('[') ? 2 : 1
  let depth = 0
  let members = new Map<string, string>()
  let name: string | null = null
  let valueStart = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === quote) {
      const end = endOfString(text, at)
      if (depth === rowDepth) name ??= JSON.parse(text.slice(at, end + 1))
      at = end
    } else if (sign === openBrace || sign === openBracket) depth += 1
    else if (sign === colon && depth === rowDepth) valueStart = at + 1
    else if (sign === comma || sign === closeBrace || sign === closeBracket) {
      if (depth === rowDepth && name !== null) members.set(name, text.slice(valueStart, at).trim())
      if (depth === rowDepth) name = null
      if (sign !== comma) depth -= 1
      if (sign === closeBrace && depth === rowDepth - 1) {
        yield members
        members = new Map()
      }
    }
  }
}
