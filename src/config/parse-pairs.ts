/** The form of OpenTelemetry: `a=1,b=x%20y` → { a: '1', b: 'x y' }, `none` → {}; null if it is neither. */
export function parsePairs(text: string): Readonly<Record<string, string>> | null {
  if (text === 'none') return {}
  const pairs: Record<string, string> = {}
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(part) ?? []
    const decoded = decode(value?.trim() ?? '')
    if (name === undefined || decoded === null) return null
    pairs[name] = decoded
  }
  return pairs
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
