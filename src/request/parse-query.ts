import { BoundedMap } from '../caches/bounded-map.ts'
import { memoizeText } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import type { OperatorName } from '../types/operators.ts'
import type { Level } from './level.ts'
import { limitQuery } from './limit-query.ts'
import type { Operand } from './operand.ts'
import { addOperand, type Condition, type Filter, type Logic, parseFilter, parseLogic } from './parse-filter.ts'
import { type OrderTerm, parseOrder } from './parse-order.ts'
import { parseRange, type Range, wholeRange } from './parse-range.ts'
import { parseSelect, type SelectItem } from './parse-select.ts'
import { Scanner, usualLimits } from './scanner.ts'

export type Pair = readonly [name: string, value: string]

export interface Query {
  /** Every parameter with its value, as sent. */
  readonly pairs: readonly Pair[]
  readonly shape: QueryShape
  /** What its filters compare with. Those name them by their number, which begins with 1. */
  readonly values: readonly Operand[]
}

/** What a query asks for, but for the values that it compares with: one object for all queries that differ in these alone. */
export interface QueryShape {
  readonly select: readonly SelectItem[]
  /** null where the parameter is absent. */
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /** By the path of the embed: '' for the resource itself, or names with `pathSeparator` between them, as a name may hold a dot. */
  readonly levels: ReadonlyMap<string, Level>
}

/** The part of a URL behind its question mark → everything that it asks for. */
export function parseQuery(text: string): Query {
  if (text === '') return emptyQuery
  if (hasMore(text, '&', parametersMax - 1)) throw failure.tooMuch('parameters', parametersMax, 'Send fewer.')
  const pairs = parsePairs(text)
  const values: Operand[] = []
  const conditions: (Condition | null)[] = []
  let key = ''
  let isPlain = true
  for (const [name, value] of pairs) {
    const place = placeOf(name)
    key += name + pathSeparator
    if (place.kind === 'whole' || place.kind === 'page') {
      conditions.push(null)
      key += value
    } else {
      const plain = place.kind === 'filter' ? takePlain(place.name, value, values) : null
      const condition = plain ?? parseCondition(place, value, values)
      conditions.push(condition)
      key += plain ? plain.operator : JSON.stringify(condition)
      isPlain &&= plain !== null
    }
    key += pathSeparator
  }
  const known = shapes.get(key)
  const shape = known ?? parseShape(pairs, conditions, values)
  if (!known && key.length <= keyLengthMax) shapes.set(key, shape)
  // How much is asked for depends on lists and patterns, too.
  if (known && !isPlain) limitQuery(known.levels, values)
  return { pairs, shape, values }
}

const parametersMax = 1000

/** Whether a text has a sign more than so many times. */
export function hasMore(text: string, sign: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) count += 1
  return count > most
}

/** `eq.5`, as most filters are, needs no scanner. null for any other. */
function takePlain(column: string, filter: string, values: Operand[]): Filter | null {
  const start = filter.indexOf('.') + 1
  const operator = plainOperators.get(filter.slice(0, start))
  if (operator === undefined) return null
  const operand = addOperand(filter.slice(start), values)
  return { kind: 'filter', column, negated: false, operator, quantifier: null, language: null, operand }
}

const plainOperators: ReadonlyMap<string, OperatorName> = new Map(
  (['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const).map((name) => [`${name}.`, name]),
)

const parseCondition = (place: ConditionPlace, value: string, values: Operand[]): Condition =>
  place.kind === 'filter' ? parseFilter(place.name, value, values) : parseLogic(place.logic, value, values)

/** Stands in no parameter, and so between what must not be mixed up. */
export const pathSeparator = '\0'

/**
 * Applications send the same queries again and again, with other values. What is planned and compiled for a shape is kept
 * as long as the shape, so this bounds it all. All companies share it: there is no value in it.
 */
const shapes = new BoundedMap<QueryShape>(500, 500_000)
/** What is longer takes up more room than it saves time. */
const keyLengthMax = 4000

/** `conditions` says what the pairs are, but for those that are something else. */
function parseShape(
  pairs: readonly Pair[],
  conditions: readonly (Condition | null)[],
  values: readonly Operand[],
): QueryShape {
  const whole: Partial<Record<Reserved, string>> = {}
  const levels = new Map<string, Draft>()
  for (const [at, [name, value]] of pairs.entries()) {
    const place = placeOf(name)
    if (place.kind === 'whole') {
      whole[place.name] ??= value
      continue
    }
    const draft = findDraft(levels, place.path)
    const condition = conditions[at]
    if (place.kind === 'page') setPaging(draft.sent, place.name, value)
    else if (condition) draft.conditions.push(condition)
  }
  for (const level of levels.values()) finishLevel(level)
  limitQuery(levels, values)
  return {
    select: selectOf(whole.select ?? ''),
    columns: parseNames('columns parameter', whole.columns),
    onConflict: parseNames('on_conflict parameter', whole.on_conflict),
    levels,
  }
}

/** What differs between shapes is often no more than one of these. */
const selectOf = memoizeText(parseSelect)
const orderOf = memoizeText(parseOrder)
const placeOf = memoizeText(parsePlace)

const emptyQuery: Query = {
  pairs: [],
  shape: { select: [{ kind: 'all' }], columns: null, onConflict: null, levels: new Map() },
  values: [],
}

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
  | ConditionPlace

type ConditionPlace =
  | { readonly kind: 'logic'; readonly logic: Omit<Logic, 'conditions'>; readonly path: string }
  | { readonly kind: 'filter'; readonly name: string; readonly path: string }

/** More than the levels of embeds, a `not` and what it is. */
const wordsMax = 8

/** `bid.order`, `project.not.or`, `bid.bid_name`: the last word says what it is, the words before it where. */
function parsePlace(key: string): Place {
  if (key === 'select' || key === 'columns' || key === 'on_conflict') return { kind: 'whole', name: key }
  const scan = new Scanner('tree path', key)
  const words = [scan.name()]
  while (scan.accept('.')) {
    words.push(scan.name())
    if (words.length > wordsMax) scan.fail(`at most ${wordsMax} names`)
  }
  if (!scan.done) scan.fail('"." or end of input')
  const name = words.pop() ?? ''
  if (name === 'and' || name === 'or') {
    const negated = words.at(-1) === 'not'
    if (negated) words.pop()
    return { kind: 'logic', logic: { kind: name, negated }, path: words.join(pathSeparator) }
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

/** Of a parameter that is sent twice, PostgREST takes the first order, but the last limit and offset. */
function setPaging(sent: Draft['sent'], name: Paging, value: string): void {
  if (name !== 'order' || sent.order === undefined) sent[name] = value
}

/** `a=1&b=x+y%21&c` → [['a', '1'], ['b', 'x y!']]. As in PostgREST, what has no equals sign is ignored. */
export function parsePairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    if (equals >= 0) pairs.push([decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))])
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
