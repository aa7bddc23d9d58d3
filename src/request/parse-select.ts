import { type Aggregate, aggregates } from '../types/column-type.ts'
import { Scanner } from './scanner.ts'

export interface SelectField {
  readonly kind: 'field'
  /** null for the bare `count()`. */
  readonly name: string | null
  readonly alias: string | null
  readonly cast: string | null
  readonly aggregate: Aggregate | null
  readonly aggregateCast: string | null
}

export interface SelectEmbed {
  readonly kind: 'embed'
  readonly name: string
  readonly alias: string | null
  readonly hint: string | null
  readonly inner: boolean
  readonly spread: boolean
  readonly select: readonly SelectItem[]
}

export type SelectItem = { readonly kind: 'all' } | SelectField | SelectEmbed

/** Each level multiplies the rows to look at. Items count on all levels together. */
const limits = { levels: 5, items: 500, name: 'selected fields' }

/** `id,name:project_name,bid!inner(*)` → a field, a renamed field, an embed. Nothing at all means all columns. */
export function parseSelect(text: string): SelectItem[] {
  const scan = new Scanner('select parameter', text, limits)
  const items = parseItems(scan)
  scan.end()
  return items.length === 0 ? [{ kind: 'all' }] : items
}

function parseItems(scan: Scanner): SelectItem[] {
  return scan.done || scan.isAt(')') ? [] : scan.list(() => parseItem(scan))
}

const itemExpected = '"...", field name (* or [a..z0..9_$]), "*" or "count()"'

function parseItem(scan: Scanner): SelectItem {
  scan.skipBlanks()
  const item = parseOne(scan)
  scan.skipBlanks()
  return item
}

function parseOne(scan: Scanner): SelectItem {
  if (scan.accept('...')) return parseEmbed(scan, { name: scan.name(), alias: null, spread: true })
  if (scan.accept('*')) return { kind: 'all' }
  let name = scan.name(itemExpected)
  let alias: string | null = null
  if (scan.isAt(':') && !scan.isAt('::')) {
    scan.expect(':')
    alias = name
    name = scan.name()
  }
  if (name === 'count' && scan.accept('()')) return countOfRows(alias, parseCast(scan))
  if (scan.isAt('(') || scan.isAt('!')) return parseEmbed(scan, { name, alias, spread: false })
  return parseField(scan, name, alias)
}

function countOfRows(alias: string | null, aggregateCast: string | null): SelectField {
  return { kind: 'field', name: null, alias, cast: null, aggregate: 'count', aggregateCast }
}

/** Behind the name of an embed: a hint, and how to join, as in `bid!project_bid_id_fkey!inner(*)`. */
const wordsMax = 2

function parseEmbed(scan: Scanner, named: Pick<SelectEmbed, 'name' | 'alias' | 'spread'>): SelectEmbed {
  let hint: string | null = null
  let inner = false
  for (let words = 1; scan.accept('!'); words += 1) {
    if (words > wordsMax) scan.fail('"("')
    const word = scan.name('"inner", "left" or a hint')
    if (word === 'inner') inner = true
    else if (word !== 'left') hint = word
  }
  scan.expect('(')
  const select = scan.nested(() => parseItems(scan))
  scan.expect(')', '"," or ")"')
  return { kind: 'embed', ...named, hint, inner, select }
}

function parseField(scan: Scanner, name: string, alias: string | null): SelectField {
  const cast = parseCast(scan)
  const aggregate = scan.accept('.') ? parseAggregate(scan) : null
  const aggregateCast = aggregate && parseCast(scan)
  if (!scan.done && !scan.isAt(',') && !scan.isAt(')')) scan.fail('"::", ".", "," or end of input')
  return { kind: 'field', name, alias, cast, aggregate, aggregateCast }
}

function parseAggregate(scan: Scanner): Aggregate {
  for (const aggregate of aggregates) if (scan.accept(`${aggregate}()`)) return aggregate
  return scan.fail('"sum()", "avg()", "count()", "max()" or "min()"')
}

function parseCast(scan: Scanner): string | null {
  if (!scan.accept('::')) return null
  return scan.take(/[\p{L}\p{N}_ $]+/uy)?.trim() || scan.fail('a type name')
}
