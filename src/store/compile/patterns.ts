/** `a*b_c\%` → the pieces of a LIKE pattern in which `*` stands for `%`, as the dialect has it. */
function likePieces(pattern: string): ('any' | 'one' | { readonly text: string })[] {
  const pieces: ReturnType<typeof likePieces> = []
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at] ?? ''
    if (letter === '\\') {
      at += 1
      pieces.push({ text: pattern[at] ?? '' })
    } else pieces.push(letter === '%' || letter === '*' ? 'any' : letter === '_' ? 'one' : { text: letter })
  }
  return pieces
}

const lowered = (operator: 'like' | 'ilike', pattern: string): string =>
  operator === 'ilike' ? pattern.toLowerCase() : pattern

/** For SQLite, whose LIKE ignores case but whose GLOB does not. */
export function globOf(operator: 'like' | 'ilike', pattern: string): string {
  return likePieces(lowered(operator, pattern))
    .map((piece) => (piece === 'any' ? '*' : piece === 'one' ? '?' : piece.text.replace(/[*?[]/, '[$&]')))
    .join('')
}

/** For PostgreSQL: the same pieces, with nothing but its own wildcards. */
export function likeOf(operator: 'like' | 'ilike', pattern: string): string {
  return likePieces(lowered(operator, pattern))
    .map((piece) => (piece === 'any' ? '%' : piece === 'one' ? '_' : piece.text.replace(/[%_\\]/, '\\$&')))
    .join('')
}
