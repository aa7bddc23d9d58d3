/** `/bid?bid_name=eq.%E6%96%B0` → `/bid?bid_name=eq.新`. What separates parts, is invisible or is no text stays encoded. */
export const readablePath = (path: string): string => path.replace(/(?:%[0-9a-f]{2})+/gi, decoded)

function decoded(escapes: string): string {
  try {
    const text = decodeURI(escapes)
    return /\p{C}/u.test(text) ? escapes : text
  } catch {
    return escapes
  }
}
