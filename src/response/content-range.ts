import { memoizeText } from '../caches/memoize.ts'
import type { Pair } from '../request/parse-query.ts'
import type { ApiRequest } from '../request/parse-request.ts'

/** `0-24/100`, `25-49/*`, or an asterisk for what is empty or unknown. */
export function contentRange(offset: number, count: number, total: number | null): string {
  const rows = count === 0 || total === 0 ? '*' : `${offset}-${offset + count - 1}`
  return `${rows}/${total ?? '*'}`
}

/** `/rest/v1/project?limit=2&select=id`: the query with its parameters in order. */
export function contentLocation(resource: string, { query: { pairs } }: ApiRequest): string {
  if (pairs.length === 0) return `/rest/v1/${resource}`
  return `/rest/v1/${resource}?${queryOf(pairs.length === 1 ? pairs : pairs.toSorted(byName))}`
}

/** The same question, for the rows behind those that were shown. */
export function nextPage(resource: string, { range, query }: ApiRequest, shown: number): string {
  const others = query.pairs.filter(([name]) => name !== 'offset' && name !== 'limit')
  const limit = String(range.limit ?? shown)
  const pairs: Pair[] = [...others, ['limit', limit], ['offset', String(range.offset + shown)]]
  return `</rest/v1/${resource}?${queryOf(pairs)}>; rel="next"`
}

function queryOf(pairs: readonly Pair[]): string {
  let text = ''
  for (const [name, value] of pairs) {
    const pair = `${encode(name)}=${name === 'select' ? encodeSelect(value) : encode(value)}`
    text = text === '' ? pair : `${text}&${pair}`
  }
  return text
}

function byName([a]: Pair, [b]: Pair): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** encodeURIComponent leaves some signs as they are that others encode. */
const encode = (text: string): string =>
  isPlain(text)
    ? text
    : encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Applications send the same ones again and again, and hardly anything else has to be encoded. */
const encodeSelect = memoizeText(encode)

const isPlain = (text: string): boolean => /^[\w.~-]*$/.test(text)
