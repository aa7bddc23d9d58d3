import { failure } from '../errors/index.ts'
import { memoizeText } from '../memoize.ts'
import type { Level } from './level.ts'
import { limitQuery } from './limit-query.ts'
import { type Condition, parseFilter, parseLogic } from './parse-filter.ts'
import { type OrderTerm, parseOrder } from './parse-order.ts'
import { parseRange, type Range, wholeRange } from './parse-range.ts'
import { parseSelect, type SelectItem } from './parse-select.ts'
import { Scanner, usualLimits } from './scanner.ts'

export type Pair = readonly [name: string, value: string]

export interface Query {
  /** Every parameter with its value, as sent. */
  readonly pairs: readonly Pair[]
  readonly form: Form
  /** For the holes of the form, in their order. */
  readonly values: readonly string[]
}

/** What a query asks for, but for the values that it compares with. */
export interface Form {
  readonly select: readonly SelectItem[]
  /** null where the parameter is absent. */
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /** By the path of the embed: '' for the resource itself, or names with `pathSeparator` between them, as a name may hold a dot. */
  readonly levels: ReadonlyMap<string, Level>
  /** Whether there is no value left in it. It is one and the same object then, for all who ask for the same. */
  readonly isShared: boolean
}

/** The part of a URL behind its question mark → everything that it asks for. */
export function parseQuery(text: string): Query {
  if (text === '') return emptyQuery
  if (hasMore(text, '&', parametersMax - 1)) throw failure.tooMuch('parameters', parametersMax, 'Send fewer.')
  const pairs = parsePairs(text)
  const values: string[] = []
  let name = ''
  for (const [key, value] of pairs) {
    const { kind } = placeOf(key)
    const kept = kind === 'filter' ? takeValue(value, values) : kind === 'logic' ? null : value
    if (kept === null) return { pairs, form: parseForm(pairs, false), values: [] }
    name += key + pathSeparator + kept + pathSeparator
  }
  return { pairs, form: formOf(name), values }
}

const parametersMax = 1000

/** Whether a text has a sign more than so many times. */
export function hasMore(text: string, sign: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count += 1
  return count > most
}

/** `eq.5` → `eq.`, and 5 is put apart. null where what becomes of a filter depends on its value. */
function takeValue(filter: string, values: string[]): string | null {
  const start = filter.indexOf('.') + 1
  const operator = filter.slice(0, start)
  if (!plainOperators.has(operator)) return null
  values.push(filter.slice(start))
  return operator
}

const plainOperators: ReadonlySet<string> = new Set(['eq.', 'neq.', 'gt.', 'gte.', 'lt.', 'lte.'])

/** Stands in no parameter, and so between what must not be mixed up. */
export const pathSeparator = '\0'

/** As many as the engines keep prepared. */
const formsMax = 500

/** Applications send the same queries again and again, with other values. */
const formOf = memoizeText((name) => {
  const parts = name.split(pathSeparator)
  const pairs = Array.from(
    { length: parts.length >> 1 },
    (_, at): Pair => [parts[2 * at] ?? '', parts[2 * at + 1] ?? ''],
  )
  return parseForm(pairs, true)
}, formsMax)

/** Of a form that is shared, the values of all filters are put apart. */
function parseForm(pairs: readonly Pair[], isShared: boolean): Form {
  const whole: Partial<Record<Reserved, string>> = {}
  const levels = new Map<string, Draft>()
  let holes = 0
  for (const [key, value] of pairs) {
    const place = placeOf(key)
    if (place.kind === 'whole') {
      setOnce(whole, place.name, value)
      continue
    }
    const { sent, conditions } = findDraft(levels, place.path)
    if (place.kind === 'page') setOnce(sent, place.name, value)
    else if (place.kind === 'logic') conditions.push(parseLogic(place.name, place.negated, value))
    else {
      const filter = parseFilter(place.name, value)
      conditions.push(isShared ? { ...filter, operand: { place: holes++ } } : filter)
    }
  }
  for (const level of levels.values()) finishLevel(level)
  limitQuery(levels)
  return {
    select: selectOf(whole.select ?? ''),
    columns: parseNames('columns parameter', whole.columns),
    onConflict: parseNames('on_conflict parameter', whole.on_conflict),
    levels,
    isShared,
  }
}

/** What differs between forms is often no more than one of these. */
const selectOf = memoizeText(parseSelect)
const orderOf = memoizeText(parseOrder)
const placeOf = memoizeText(parsePlace)

const emptyForm: Form = {
  select: [{ kind: 'all' }],
  columns: null,
  onConflict: null,
  levels: new Map(),
  isShared: true,
}
const emptyQuery: Query = { pairs: [], form: emptyForm, values: [] }

/** A level, while its parameters come in. */
interface Draft extends Level {
  readonly conditions: Condition[]
  order: readonly OrderTerm[]
  range: Range
  /** As sent. */
  readonly sent: Partial<Record<Paging, string>>
}

function findDraft(drafts: Map<string, Draft>, path: string): Draft {
  const found = drafts.get(path)
  if (found) return found
  const made: Draft = { conditions: [], order: [], range: wholeRange, sent: {} }
  drafts.set(path, made)
  return made
}

function finishLevel(draft: Draft): void {
  const { order, limit, offset } = draft.sent
  if (order) draft.order = orderOf(order)
  draft.range = parseRange(limit, offset)
}

/** What is asked of the request as a whole. */
type Reserved = 'select' | 'columns' | 'on_conflict'
type Paging = 'order' | 'limit' | 'offset'

/** What a parameter is, and of which embed. */
type Place =
  | { readonly kind: 'whole'; readonly name: Reserved }
  | { readonly kind: 'page'; readonly name: Paging; readonly path: string }
  | { readonly kind: 'logic'; readonly name: 'and' | 'or'; readonly path: string; readonly negated: boolean }
  | { readonly kind: 'filter'; readonly name: string; readonly path: string }

/** More than the levels of embeds, a `not` and what it is. */
const wordsMax = 8

/** `bid.order`, `project.not.or`, `bid.bid_name`: the last word says what it is, the words before it where. */
function parsePlace(key: string): Place {
  if (key === 'select' || key === 'columns' || key === 'on_conflict') return { kind: 'whole', name: key }
  const scan = new Scanner('tree path', key)
  const words = [scan.name()]
  while (scan.skip('.')) {
    words.push(scan.name())
    if (words.length > wordsMax) scan.fail(`at most ${wordsMax} names`)
  }
  if (!scan.done) scan.fail('"." or end of input')
  const name = words.pop() ?? ''
  if (name === 'and' || name === 'or') {
    const negated = words.at(-1) === 'not'
    if (negated) words.pop()
    return { kind: 'logic', name, path: words.join(pathSeparator), negated }
  }
  const path = words.join(pathSeparator)
  const isPaging = name === 'order' || name === 'limit' || name === 'offset'
  return isPaging ? { kind: 'page', name, path } : { kind: 'filter', name, path }
}

/** Far more than any resource has. */
const nameLimits = { ...usualLimits, items: 100, name: 'columns' }

function parseNames(what: string, text: string | undefined): string[] | null {
  if (text === undefined) return null
  const scan = new Scanner(what, text, nameLimits)
  const names = scan.list(() => scan.name())
  scan.end()
  return names
}

function setOnce<Key extends string>(values: Partial<Record<Key, string>>, key: Key, value: string): void {
  if (values[key] !== undefined) throw failure.parameterRepeated(key)
  values[key] = value
}

/** `a=1&b=x+y%21` → [['a', '1'], ['b', 'x y!']] */
export function parsePairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    if (equals >= 0) pairs.push([decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))])
    else if (pair !== '') pairs.push([decode(pair), ''])
  }
  return pairs
}

function decode(text: string): string {
  if (isPlain(text)) return text
  const spaced = text.replaceAll('+', ' ')
  const decoded = spaced.includes('%') ? decodePercent(spaced) : spaced
  if (decoded.includes('\0')) throw failure.queryNotText()
  return decoded
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw failure.queryNotText()
  }
}

const isPlain = (text: string): boolean => /^[\w.,:~*()-]*$/.test(text)
