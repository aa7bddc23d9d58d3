export type LikeOperator = 'like' | 'ilike'

/** Any signs, any one of them, or one that is given. */
type LikePiece = 'any' | 'one' | { readonly text: string }

/** `a*b_c\%` → the pieces of a LIKE pattern in which `*` stands for `%`, as the dialect has it. */
export function likePieces(operator: LikeOperator, pattern: string): LikePiece[] {
  const written = operator === 'ilike' ? pattern.toLowerCase() : pattern
  const pieces: LikePiece[] = []
  for (let at = 0; at < written.length; at += 1) {
    const letter = written[at] ?? ''
    if (letter === '\\') {
      at += 1
      pieces.push({ text: written[at] ?? '' })
    } else pieces.push(letter === '%' || letter === '*' ? 'any' : letter === '_' ? 'one' : { text: letter })
  }
  return pieces
}

/** Whether a text is as a pattern says, in time that grows with both lengths. */
export function likeMatcher(operator: LikeOperator, pattern: string): (text: string) => boolean {
  const pieces = likePieces(operator, pattern)
  return (text) => isLike([...(operator === 'ilike' ? text.toLowerCase() : text)], pieces)
}

/** After a sign that does not fit, the last `any` takes one sign more, and the rest is tried again. */
function isLike(signs: readonly string[], pieces: readonly LikePiece[]): boolean {
  let [sign, piece] = [0, 0]
  let again: { readonly sign: number; readonly piece: number } | null = null
  while (sign < signs.length) {
    const wanted = pieces[piece]
    if (wanted === 'any') {
      piece += 1
      again = { sign: sign + 1, piece }
    } else if (wanted === 'one' || wanted?.text === signs[sign]) {
      sign += 1
      piece += 1
    } else if (again === null) return false
    else {
      ;({ sign, piece } = again)
      again = { sign: sign + 1, piece }
    }
  }
  return pieces.slice(piece).every((left) => left === 'any')
}
