import { scrub } from '../log/scrub.ts'

/** Of one value of a filter, or one other part of a URL. */
const partMax = 200
const queryMax = 2000
/** Of a longer query, only so much is looked at. */
const readMax = 16 * 1024

/** `http://host/rest/v1/project?id=eq.1` → `/rest/v1/project?id=eq.1`, without secrets, and what is long ends in `…`. */
export function cleanPath(url: string): string {
  // Without a Host header there is nothing but the path.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const question = url.indexOf('?', start)
  if (question < 0) return cleanPart(url.slice(start))
  return `${cleanPart(url.slice(start, question))}?${cleanQuery(url.slice(question + 1, question + readMax))}`
}

function cleanQuery(query: string): string {
  const parts: string[] = []
  let length = 0
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const part =
      equals < 0 ? cleanPart(pair) : `${cleanPart(pair.slice(0, equals))}=${cleanPart(pair.slice(equals + 1))}`
    length += part.length + 1
    if (length > queryMax) return `${parts.join('&')}&…`
    parts.push(part)
  }
  return parts.join('&')
}

function cleanPart(text: string): string {
  const clean = scrubEncoded(text).toWellFormed()
  // Half of an escape such as %C3 would be no text.
  return clean.length <= partMax ? clean : `${clean.slice(0, partMax).replace(/%[0-9a-f]?$/i, '')}…`
}

/** A secret may have escapes in it: `%70as_…` */
function scrubEncoded(text: string): string {
  if (!text.includes('%')) return scrub(text)
  const plain = decoded(text)
  const clean = scrub(plain)
  return clean === plain ? scrub(text) : encodeURIComponent(clean)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // What is no text as a whole may still have a secret in it.
    return text.replace(/%[0-7][0-9a-f]/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)))
  }
}
