import { failure } from '../errors.ts'
import { type Condition, parseFilter, parseLogic } from './parse-filter.ts'
import { type OrderTerm, parseOrder } from './parse-order.ts'
import { parseRange, type Range } from './parse-range.ts'
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
  const single = new Map<string, string>()
  const drafts = new Map<string, Draft>()
  const pairs = parsePairs(text)
  for (const [key, value] of pairs) {
    if (isReserved(key)) setOnce(single, key, value)
    else parseParameter(drafts, key, value)
  }
  const levels = new Map([...drafts].map(([path, draft]) => [path, finishLevel(draft)]))
  refuseTooMuch(levels)
  return {
    pairs,
    select: rememberedSelect(single.get('select') ?? ''),
    columns: parseNames('columns parameter', single.get('columns')),
    onConflict: parseNames('on_conflict parameter', single.get('on_conflict')),
    levels,
  }
}

/** Applications ask for the same columns again and again. */
const selects = new Map<string, readonly SelectItem[]>()
const selectsMax = 1000

function rememberedSelect(text: string): readonly SelectItem[] {
  const known = selects.get(text)
  if (known) return known
  const select = parseSelect(text)
  if (selects.size >= selectsMax) selects.clear()
  if (text.length <= 500) selects.set(text, select)
  return select
}

const emptyQuery: Query = {
  pairs: [],
  select: [{ kind: 'all' }],
  columns: null,
  onConflict: null,
  levels: new Map(),
}

function isReserved(key: string): boolean {
  return key === 'select' || key === 'columns' || key === 'on_conflict'
}

const conditionsMax = 500
const orderTermsMax = 50

/** What no person asks for, and engines were not made for. */
function refuseTooMuch(levels: ReadonlyMap<string, Level>): void {
  const conditions = [...levels.values()].reduce((sum, level) => sum + countConditions(level.conditions), 0)
  if (conditions > conditionsMax) throw failure.tooMuch('conditions', conditionsMax, 'Use in.(…) for a list of values.')
  const terms = [...levels.values()].reduce((sum, { order }) => sum + order.length, 0)
  if (terms > orderTermsMax) throw failure.tooMuch('order terms', orderTermsMax, 'Leave out what is named twice.')
}

function countConditions(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, one) => sum + (one.kind === 'filter' ? 1 : countConditions(one.conditions)), 0)
}

interface Draft {
  readonly conditions: Condition[]
  readonly single: Map<string, string>
}

/** `bid.order=…`, `project.not.or=(…)`, `bid.bid_name=eq.x`: the last word says what it is, the words before it where. */
function parseParameter(drafts: Map<string, Draft>, key: string, value: string): void {
  const path = parsePath(key)
  const last = path.pop() ?? ''
  const negated = (last === 'and' || last === 'or') && path.at(-1) === 'not'
  if (negated) path.pop()
  const draft = findDraft(drafts, path.join('.'))
  if (last === 'order' || last === 'limit' || last === 'offset') setOnce(draft.single, last, value)
  else if (last === 'and' || last === 'or') draft.conditions.push(parseLogic(last, negated, value))
  else draft.conditions.push(parseFilter(last, value))
}

function findDraft(drafts: Map<string, Draft>, path: string): Draft {
  const found = drafts.get(path)
  if (found) return found
  const made: Draft = { conditions: [], single: new Map() }
  drafts.set(path, made)
  return made
}

function finishLevel({ conditions, single }: Draft): Level {
  const order = single.get('order')
  return {
    conditions,
    order: order ? parseOrder(order) : [],
    range: parseRange(single.get('limit'), single.get('offset')),
  }
}

function parsePath(key: string): string[] {
  const scan = new Scanner('tree path', key)
  const path = [scan.name()]
  while (scan.skip('.')) path.push(scan.name())
  if (!scan.done) scan.fail('"." or end of input')
  return path
}

function parseNames(what: string, text: string | undefined): string[] | null {
  if (text === undefined) return null
  const scan = new Scanner(what, text)
  const names = scan.list(() => scan.name())
  scan.end()
  return names
}

function setOnce(values: Map<string, string>, key: string, value: string): void {
  if (values.has(key)) throw failure.parameterRepeated(key)
  values.set(key, value)
}

/** `a=1&b=x+y%21` → [['a', '1'], ['b', 'x y!']] */
export function parsePairs(text: string): Pair[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
    })
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
