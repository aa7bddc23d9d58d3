import { type LikeOperator, likePieces } from '../../resources/like.ts'

/** For SQLite, whose LIKE ignores case but whose GLOB does not. */
export function globOf(operator: LikeOperator, pattern: string): string {
  return likePieces(operator, pattern)
    .map((piece) => (piece === 'any' ? '*' : piece === 'one' ? '?' : piece.text.replace(/[*?[]/, '[$&]')))
    .join('')
}

/** For PostgreSQL: the same pieces, with PostgreSQL's own wildcards only. */
export function likeOf(operator: LikeOperator, pattern: string): string {
  return likePieces(operator, pattern)
    .map((piece) => (piece === 'any' ? '%' : piece === 'one' ? '_' : piece.text.replace(/[%_\\]/, '\\$&')))
    .join('')
}
