import { type LikeOperator, likePieces } from '../../resources/text/like.ts'
import { type Anchor, isAnchor, joinPattern, respell, splitPattern } from '../../resources/text/pattern-parts.ts'

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

/** For PostgreSQL, whose own words have the letters of all languages. */
export function regexOf(pattern: string): string {
  const { body, ...options } = splitPattern(pattern)
  return joinPattern({ ...options, body: respell(body, (atom) => (isAnchor(atom) ? anchors[atom] : atom)) })
}

const word = '[0-9A-Za-z_]'
const [start, end] = [`(?<!${word})(?=${word})`, `(?<=${word})(?!${word})`]
const [within, outside] = [`(?<=${word})(?=${word})`, `(?<!${word})(?!${word})`]

const anchors: Record<Anchor, string> = {
  '^': '^',
  $: '$',
  '\\A': '\\A',
  '\\Z': '\\Z',
  '\\m': start,
  '\\M': end,
  '\\y': `(?:${start}|${end})`,
  '\\Y': `(?:${within}|${outside})`,
}
