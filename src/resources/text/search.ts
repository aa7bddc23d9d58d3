import { failure } from '../../errors/index.ts'

/** What a full-text search asks of the words of a text. */
export type Search = SearchWord | { readonly kind: 'not'; readonly of: Search } | SearchPair

export interface SearchWord {
  readonly kind: 'word'
  readonly word: string
  readonly isPrefix: boolean
}

export interface SearchPair {
  readonly kind: 'and' | 'or' | 'phrase'
  readonly left: Search
  readonly right: Search
  /** How many words the right one stands behind the left one in a phrase; otherwise 0. */
  readonly distance: number
}

export type SearchKind = 'fts' | 'plfts' | 'phfts' | 'wfts'

/** The query of any kind of search → one spelling for all, which is PostgreSQL's tsquery. '' finds nothing. */
export function spellSearch(kind: SearchKind, text: string): string {
  const search = parsers[kind](text)
  return search === null ? '' : spell(search)
}

/** The words of a text or of a search, in their order. As PostgreSQL's parser sees it, `8e03f` is a number and a word. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[0-9]+e[0-9]+|[\p{L}\p{N}]+/gu) ?? []

const parsers: Record<SearchKind, (text: string) => Search | null> = {
  fts: parseSearch,
  plfts: (text) => combine(wordsOf(text).map(wordSearch), both),
  phfts: (text) => combine(wordsOf(text).map(wordSearch), inRow),
  wfts: parseWeb,
}

const wordSearch = (word: string): Search => ({ kind: 'word', word, isPrefix: false })
const both = (left: Search, right: Search): Search => ({ kind: 'and', left, right, distance: 0 })
const either = (left: Search, right: Search): Search => ({ kind: 'or', left, right, distance: 0 })
const inRow = (left: Search, right: Search): Search => ({ kind: 'phrase', left, right, distance: 1 })

const combine = (parts: readonly (Search | null)[], join: (left: Search, right: Search) => Search): Search | null =>
  parts.reduce((left, right) => (left && right ? join(left, right) : (left ?? right)), null)

/**
 * `bridge "steel deck" or -river`, as search engines take it. Never fails. `-` is a sign wherever a word could begin, also before a
 * blank; `or` is one between two parts alone. Other signs are blanks.
 */
function parseWeb(text: string): Search | null {
  const groups: (Search | null)[][] = [[]]
  let isNegated = false
  let isBehindPart = false
  for (const found of text.matchAll(/"(?<quoted>[^"]*)"?|(?<minus>-)|(?<plain>[^\s"!&|()][^\s"!&|():]*)/gu)) {
    const { quoted, minus, plain = '' } = found.groups ?? {}
    if (minus) {
      isNegated = !isNegated
      isBehindPart = false
      continue
    }
    const isOr: boolean =
      isBehindPart && /^or(?![-_\p{L}\p{N}])/iu.test(plain) && /\S/.test(text.slice(found.index + 3))
    if (isOr) groups.push([])
    const words = combine(wordsOf(quoted ?? plain.slice(isOr ? 2 : 0)).map(wordSearch), inRow)
    groups.at(-1)?.push(words && isNegated ? { kind: 'not', of: words } : words)
    isNegated = false
    isBehindPart = !isOr
  }
  return combine(
    groups.map((group) => combine(group, both)),
    either,
  )
}

const depthMax = 32
const distanceMax = 16_384

/** `bridge & !(river | 'steel deck':*)` with `|` weakest, then `&`, `<->` or `<2>`, and `!`. */
export function parseSearch(text: string): Search | null {
  const tokens = text.match(/<(?:-|\d+)>|[&|!()]|:\*|'(?:[^']|'')*'|[^\s&|!()':<]+|\S/gu) ?? []
  let at = 0
  const fail = (): never => {
    throw failure.searchInvalid(text)
  }

  function chain(
    sign: RegExp,
    join: (sign: string) => (left: Search, right: Search) => Search,
    part: (depth: number) => Search | null,
    depth: number,
  ): Search | null {
    let search = part(depth)
    for (let found = tokens[at] ?? ''; sign.test(found); found = tokens[at] ?? '') {
      at += 1
      search = combine([search, part(depth)], join(found))
    }
    return search
  }
  const anyOf = (depth: number): Search | null => chain(/^\|$/, () => either, allOf, depth)
  const allOf = (depth: number): Search | null => chain(/^&$/, () => both, phrase, depth)
  const phrase = (depth: number): Search | null => chain(/^<(?:-|\d+)>$/, behind, one, depth)

  function behind(sign: string) {
    const distance = sign === '<->' ? 1 : Number(sign.slice(1, -1))
    if (distance > distanceMax) fail()
    return (left: Search, right: Search): Search => ({ kind: 'phrase', left, right, distance })
  }

  function one(depth: number): Search | null {
    if (depth > depthMax) fail()
    const token = tokens[at] ?? fail()
    at += 1
    if (token === '!') {
      const of = one(depth + 1)
      return of && { kind: 'not', of }
    }
    if (token === '(') {
      const inner = anyOf(depth + 1)
      if (tokens[at] !== ')') fail()
      at += 1
      return inner
    }
    if (/^(?:<.*>|[&|)<:]|:\*)$/.test(token) || token === "'") return fail()
    return words(token)
  }

  function words(token: string): Search | null {
    const isPrefix = tokens[at] === ':*'
    if (isPrefix) at += 1
    const found = wordsOf(token.replaceAll("'", ' '))
    return combine(
      found.map((word, i) => ({ kind: 'word', word, isPrefix: isPrefix && i === found.length - 1 })),
      inRow,
    )
  }

  if (tokens.length === 0) return null
  const search = anyOf(0)
  return at === tokens.length ? search : fail()
}

function spell(search: Search): string {
  switch (search.kind) {
    case 'word':
      return `'${search.word}'${search.isPrefix ? ':*' : ''}`
    case 'not':
      return `!(${spell(search.of)})`
    default:
      return `(${spellChain(search)})`
  }
}

/** `a & b & c`: with brackets for each, they would soon be too deep. */
function spellChain(search: SearchPair): string {
  const { kind, left, right } = search
  const start = left.kind === kind ? spellChain(left) : spell(left)
  return `${start} ${signOf(search)} ${spell(right)}`
}

const signOf = ({ kind, distance }: SearchPair): string =>
  kind === 'and' ? '&' : kind === 'or' ? '|' : distance === 1 ? '<->' : `<${distance}>`
