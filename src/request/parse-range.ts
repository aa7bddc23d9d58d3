import { failure } from '../errors/index.ts'

export interface Range {
  readonly offset: number
  /** null: no end. */
  readonly limit: number | null
}

export const wholeRange: Range = { offset: 0, limit: null }

/** `limit=10&offset=20`. As in the dialect, what is no number is no limit. */
export function parseRange(limit: string | undefined, offset: string | undefined): Range {
  if (limit === undefined && offset === undefined) return wholeRange
  const wanted = parseInteger(limit)
  if (wanted !== null && wanted < 0) {
    throw failure.rangeImpossible('Limit should be greater than or equal to zero.', 'Send a limit of 0 or more.')
  }
  return { offset: Math.max(0, parseInteger(offset) ?? 0), limit: wanted }
}

/** `0-9` in a Range header, cut to what the parameters already allow. */
export function intersectRange(range: Range, header: string | null): Range {
  const [, first, last] = header?.match(/^(\d{1,15})-(\d{0,15})$/) ?? []
  if (first === undefined) return range
  const offset = Number(first)
  const end = last ? Number(last) + 1 : Number.POSITIVE_INFINITY
  if (end <= offset) {
    throw failure.rangeImpossible(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
      'Send the smaller number first.',
    )
  }
  const from = Math.max(range.offset, offset)
  const to = Math.min(range.limit === null ? Number.POSITIVE_INFINITY : range.offset + range.limit, end)
  return { offset: from, limit: to === Number.POSITIVE_INFINITY ? null : Math.max(0, to - from) }
}

function parseInteger(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null
}
