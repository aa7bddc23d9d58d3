import { languages, type SearchLanguage } from './languages.ts'
import type { Search, SearchPair } from './search.ts'

/** `the <-> bridges <-> of <-> dreams` → `bridg <2> dream`, as `to_tsquery` does it. null where only common words were asked for. */
export const inLanguage = (search: Search, language: SearchLanguage): Search | null => cleaned(search, language).search

/** What is left of a search, and by how many words it is shorter at its start and its end. As in PostgreSQL's tsquery_cleanup.c. */
interface Cleaned {
  readonly search: Search | null
  readonly before: number
  readonly after: number
}

function cleaned(search: Search, language: SearchLanguage): Cleaned {
  switch (search.kind) {
    case 'word': {
      const word = languages[language](search.word)
      return { search: word === null ? null : { ...search, word }, before: 0, after: 0 }
    }
    case 'not': {
      const inner = cleaned(search.of, language)
      return { ...inner, search: inner.search && { kind: 'not', of: inner.search } }
    }
    default:
      return cleanedPair(search, cleaned(search.left, language), cleaned(search.right, language))
  }
}

function cleanedPair(search: SearchPair, left: Cleaned, right: Cleaned): Cleaned {
  const { distance } = search
  const isPhrase = search.kind === 'phrase'
  if (left.search && right.search) return keptPair(search, left, right)
  if (left.search) return isPhrase ? { ...left, after: left.after + distance + right.after } : left
  if (right.search) return isPhrase ? { ...right, before: left.before + distance + right.before } : right
  const width = isPhrase ? left.before + distance + right.before : Math.max(left.before, right.before)
  return { search: null, before: width, after: width }
}

function keptPair(search: SearchPair, left: Cleaned, right: Cleaned): Cleaned {
  const pair = { ...search, left: left.search ?? search.left, right: right.search ?? search.right }
  if (pair.kind !== 'phrase') return { search: pair, before: 0, after: 0 }
  const distance = pair.distance + left.after + right.before
  return { search: { ...pair, distance }, before: left.before, after: right.after }
}
