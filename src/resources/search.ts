import { failure } from '../errors/index.ts'

/** What a full-text search asks of the words of a text. */
type Search =
  | { readonly kind: 'word'; readonly word: string; readonly isPrefix: boolean }
  | { readonly kind: 'not'; readonly of: Search }
  | { readonly kind: 'and' | 'or' | 'phrase'; readonly of: readonly Search[] }

export type SearchKind = 'fts' | 'plfts' | 'phfts' | 'wfts'

/** The query of any kind of search → one spelling for all, which is PostgreSQL's tsquery. '' finds nothing. */
export function parseSearch(kind: SearchKind, text: string): string {
  const search = parsers[kind](text)
  return search === null ? '' : spell(search)
}

/** Whether a text has what a search, in that one spelling, asks for. */
export function searcherOf(query: string): (text: string) => boolean {
  const search = query === '' ? null : parseOperators(query)
  return (text) => search !== null && holds(search, wordsIn(text))
}

/** The words of a text, in their order and as a set to look them up in. */
interface Words {
  readonly all: readonly string[]
  readonly distinct: ReadonlySet<string>
}

const wordsFrom = (all: readonly string[]): Words => ({ all, distinct: new Set(all) })

let latest = { text: '', words: wordsFrom([]) }

/** All searches of a request look at the same text, one after another. */
function wordsIn(text: string): Words {
  if (latest.text !== text) latest = { text, words: wordsFrom(wordsOf(text)) }
  return latest.words
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const parsers: Record<SearchKind, (text: string) => Search | null> = {
  fts: parseOperators,
  plfts: (text) => combine('and', wordsOf(text).map(wordSearch)),
  phfts: (text) => combine('phrase', wordsOf(text).map(wordSearch)),
  wfts: parseWeb,
}

const wordSearch = (word: string): Search => ({ kind: 'word', word, isPrefix: false })

function combine(kind: 'and' | 'or' | 'phrase', parts: readonly (Search | null)[]): Search | null {
  const of = parts.filter((part) => part !== null)
  const [first, ...others] = of
  return first === undefined ? null : others.length === 0 ? first : { kind, of }
}

/** `bridge "steel deck" or -river`, as search engines take it. Never fails. */
function parseWeb(text: string): Search | null {
  const groups: (Search | null)[][] = [[]]
  for (const { groups: part = {} } of text.matchAll(/(?<minus>-?)(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/gu)) {
    const { minus, quoted, plain = '' } = part
    if (minus === '' && plain.toLowerCase() === 'or') {
      groups.push([])
      continue
    }
    const found = combine('phrase', wordsOf(quoted ?? plain).map(wordSearch))
    groups.at(-1)?.push(found && minus === '-' ? { kind: 'not', of: found } : found)
  }
  return combine(
    'or',
    groups.map((group) => combine('and', group)),
  )
}

/** `bridge & !(river | 'steel deck':*)` with `|` weakest, then `&`, `<->` and `!`. */
function parseOperators(text: string): Search | null {
  const tokens = text.match(/<->|[&|!()]|:\*|'(?:[^']|'')*'|[^\s&|!()':<]+|\S/gu) ?? []
  let at = 0
  const fail = (): never => {
    throw failure.searchInvalid(text)
  }

  function chain(
    kind: 'and' | 'or' | 'phrase',
    sign: string,
    part: (depth: number) => Search | null,
    depth: number,
  ): Search | null {
    const parts = [part(depth)]
    while (tokens[at] === sign) {
      at += 1
      parts.push(part(depth))
    }
    return combine(kind, parts)
  }
  const either = (depth: number): Search | null => chain('or', '|', both, depth)
  const both = (depth: number): Search | null => chain('and', '&', phrase, depth)
  const phrase = (depth: number): Search | null => chain('phrase', '<->', one, depth)

  function one(depth: number): Search | null {
    if (depth > 32) fail()
    const token = tokens[at] ?? fail()
    at += 1
    if (token === '!') {
      const of = one(depth + 1)
      return of && { kind: 'not', of }
    }
    if (token === '(') {
      const inner = either(depth + 1)
      if (tokens[at] !== ')') fail()
      at += 1
      return inner
    }
    if (/^(?:<->|[&|)<:]|:\*)$/.test(token) || token === "'") return fail()
    return words(token)
  }

  function words(token: string): Search | null {
    const isPrefix = tokens[at] === ':*'
    if (isPrefix) at += 1
    const found = wordsOf(token.replaceAll("'", ' '))
    return combine(
      'phrase',
      found.map((word, i) => ({ kind: 'word', word, isPrefix: isPrefix && i === found.length - 1 })),
    )
  }

  if (tokens.length === 0) return null
  const search = either(0)
  return at === tokens.length ? search : fail()
}

function spell(search: Search): string {
  switch (search.kind) {
    case 'word':
      return `'${search.word}'${search.isPrefix ? ':*' : ''}`
    case 'not':
      return `!(${spell(search.of)})`
    default:
      return `(${search.of.map(spell).join(signs[search.kind])})`
  }
}

const signs = { and: ' & ', or: ' | ', phrase: ' <-> ' } as const

function holds(search: Search, words: Words): boolean {
  switch (search.kind) {
    case 'word':
      return search.isPrefix ? hasPrefix(words.distinct, search.word) : words.distinct.has(search.word)
    case 'not':
      return !holds(search.of, words)
    case 'and':
      return search.of.every((part) => holds(part, words))
    case 'or':
      return search.of.some((part) => holds(part, words))
    case 'phrase':
      return hasPhrase(search.of, words.all)
  }
}

function hasPhrase(parts: readonly Search[], words: readonly string[]): boolean {
  for (let start = 0; start + parts.length <= words.length; start += 1) {
    if (parts.every((part, at) => fits(part, words[start + at]))) return true
  }
  return false
}

function hasPrefix(words: ReadonlySet<string>, prefix: string): boolean {
  for (const word of words) if (word.startsWith(prefix)) return true
  return false
}

/** Whether a single word is all that is asked for. */
function fits(search: Search, word = ''): boolean {
  switch (search.kind) {
    case 'word':
      return search.isPrefix ? word.startsWith(search.word) : word === search.word
    case 'not':
      return !fits(search.of, word)
    case 'and':
      return search.of.every((part) => fits(part, word))
    case 'or':
      return search.of.some((part) => fits(part, word))
    case 'phrase':
      return false
  }
}
