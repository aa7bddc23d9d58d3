/** `a=1,b=x%20y` → { a: '1', b: 'x y' }, `none` → {}; null if it is neither. */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> | null {
  if (text === 'none') return {}
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(part) ?? []
    const decoded = decode(value?.trim() ?? '')
    if (name === undefined || decoded === null) return null
    headers[name] = decoded
  }
  return headers
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
