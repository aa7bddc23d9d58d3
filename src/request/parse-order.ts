import { Scanner, usualLimits } from './scanner.ts'

export interface OrderTerm {
  readonly column: string
  /** The embed whose column it is, for a related order. */
  readonly relation: string | null
  readonly descending: boolean
  readonly nullsFirst: boolean
}

export const orderTermsMax = 50
const limits = { ...usualLimits, items: orderTermsMax, name: 'order terms' }

/** `created_at.desc.nullslast,bid(bid_name)` */
export function parseOrder(text: string): OrderTerm[] {
  const scan = new Scanner('order', text, limits)
  const terms = scan.list(() => parseTerm(scan))
  scan.end()
  return terms
}

function parseTerm(scan: Scanner): OrderTerm {
  const name = scan.name()
  const column = scan.accept('(') ? scan.name() : null
  if (column !== null) scan.expect(')')
  const direction = scan.take(/\.(?:asc|desc)/y)
  const nulls = scan.take(/\.nulls(?:first|last)/y)
  if (scan.accept('.'))
    scan.fail(nulls || direction ? '"nullsfirst" or "nullslast"' : '"asc", "desc", "nullsfirst" or "nullslast"')
  const descending = direction === '.desc'
  return {
    column: column ?? name,
    relation: column === null ? null : name,
    descending,
    // PostgreSQL's default: nulls are larger than everything.
    nullsFirst: nulls === null ? descending : nulls === '.nullsfirst',
  }
}
