import { failure } from '../errors.ts'
import { onceForEachText } from '../once-for-each.ts'
import { type Condition, parseFilter, parseLogic } from './parse-filter.ts'
import { type OrderTerm, parseOrder } from './parse-order.ts'
import { parseRange, type Range, wholeRange } from './parse-range.ts'
import { parseSelect, type SelectItem } from './parse-select.ts'
import { Scanner } from './scanner.ts'

/** What was asked of the resource itself, or of one embed in it. */
export interface Level {
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly range: Range
}

export type Pair = readonly [name: string, value: string]

export interface Query {
  /** Every parameter with its value, as sent. */
  readonly pairs: readonly Pair[]
  readonly select: readonly SelectItem[]
  /** null where the parameter is absent. */
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /** By the path of the embed: '' for the resource itself, `bid`, `bid.project`, … */
  readonly levels: ReadonlyMap<string, Level>
}

/** The part of a URL behind its question mark → everything that it asks for. */
export function parseQuery(text: string): Query {
  if (text === '') return emptyQuery
  const whole: Partial<Record<Reserved, string>> = {}
  const levels = new Map<string, Draft>()
  const pairs = parsePairs(text)
  for (const [key, value] of pairs) {
    if (isReserved(key)) setOnce(whole, key, value)
    else parseParameter(levels, key, value)
  }
  for (const level of levels.values()) finishLevel(level)
  refuseTooMuch(levels)
  return {
    pairs,
    select: selectOf(whole.select ?? ''),
    columns: parseNames('columns parameter', whole.columns),
    onConflict: parseNames('on_conflict parameter', whole.on_conflict),
    levels,
  }
}

/** Applications ask for the same columns, orders and parameters again and again. */
const selectOf = onceForEachText(parseSelect)
const orderOf = onceForEachText(parseOrder)
const placeOf = onceForEachText(parsePlace)

const emptyQuery: Query = {
  pairs: [],
  select: [{ kind: 'all' }],
  columns: null,
  onConflict: null,
  levels: new Map(),
}

/** What is asked of the request as a whole. */
type Reserved = 'select' | 'columns' | 'on_conflict'

const isReserved = (key: string): key is Reserved => key === 'select' || key === 'columns' || key === 'on_conflict'

const conditionsMax = 500
const orderTermsMax = 50

/** What no person asks for, and engines were not made for. */
function refuseTooMuch(levels: ReadonlyMap<string, Level>): void {
  let conditions = 0
  let terms = 0
  for (const level of levels.values()) {
    conditions += countConditions(level.conditions)
    terms += level.order.length
  }
  if (conditions > conditionsMax) throw failure.tooMuch('conditions', conditionsMax, 'Use in.(…) for a list of values.')
  if (terms > orderTermsMax) throw failure.tooMuch('order terms', orderTermsMax, 'Leave out what is named twice.')
}

function countConditions(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, one) => sum + (one.kind === 'filter' ? 1 : countConditions(one.conditions)), 0)
}

/** A level, while its parameters come in. */
interface Draft extends Level {
  readonly conditions: Condition[]
  order: readonly OrderTerm[]
  range: Range
  /** As sent. */
  readonly sent: Partial<Record<'order' | 'limit' | 'offset', string>>
}

function parseParameter(drafts: Map<string, Draft>, key: string, value: string): void {
  const { path, last, negated } = placeOf(key)
  const draft = findDraft(drafts, path)
  if (last === 'order' || last === 'limit' || last === 'offset') setOnce(draft.sent, last, value)
  else if (last === 'and' || last === 'or') draft.conditions.push(parseLogic(last, negated, value))
  else draft.conditions.push(parseFilter(last, value))
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

/** What a parameter is, and of which embed. */
interface Place {
  readonly path: string
  readonly last: string
  readonly negated: boolean
}

/** `bid.order`, `project.not.or`, `bid.bid_name`: the last word says what it is, the words before it where. */
function parsePlace(key: string): Place {
  const scan = new Scanner('tree path', key)
  const path = [scan.name()]
  while (scan.skip('.')) path.push(scan.name())
  if (!scan.done) scan.fail('"." or end of input')
  const last = path.pop() ?? ''
  const negated = (last === 'and' || last === 'or') && path.at(-1) === 'not'
  if (negated) path.pop()
  return { path: path.join('.'), last, negated }
}

function parseNames(what: string, text: string | undefined): string[] | null {
  if (text === undefined) return null
  const scan = new Scanner(what, text)
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
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw failure.queryNotText()
  }
  if (decoded.includes('\0')) throw failure.queryNotText()
  return decoded
}

const isPlain = (text: string): boolean => /^[\w.,:~*()-]*$/.test(text)
