import { languages, type SearchLanguage } from './languages.ts'
import { parseSearch, type Search, type SearchPair, type SearchWord, wordsOf } from './search.ts'
import { inLanguage } from './search-language.ts'

/** Whether a text has what a search, in the spelling of `spellSearch`, asks for. */
export function searcherOf(query: string, language: SearchLanguage): (text: string) => boolean {
  const parsed = query === '' ? null : parseSearch(query)
  const search = parsed && inLanguage(parsed, language)
  return (text) => search !== null && holds(search, wordsIn(text, language))
}

/** The words of a text as its language has them, in their order and as a set to look them up in. null: too common. */
interface Words {
  readonly all: readonly (string | null)[]
  readonly distinct: ReadonlySet<string | null>
}

let latest = { text: '', language: 'simple', words: wordsFrom([]) }

/** All searches of a request look at the same text, one after another. */
function wordsIn(text: string, language: SearchLanguage): Words {
  if (latest.text !== text || latest.language !== language)
    latest = { text, language, words: wordsFrom(wordsOf(text).map(languages[language])) }
  return latest.words
}

function wordsFrom(all: readonly (string | null)[]): Words {
  return { all, distinct: new Set(all) }
}

function holds(search: Search, words: Words): boolean {
  switch (search.kind) {
    case 'word':
      return search.isPrefix ? hasPrefix(words.distinct, search.word) : words.distinct.has(search.word)
    case 'not':
      return !holds(search.of, words)
    case 'and':
      return holds(search.left, words) && holds(search.right, words)
    case 'or':
      return holds(search.left, words) || holds(search.right, words)
    case 'phrase':
      return isFound(placesOf(search, words))
  }
}

function hasPrefix(words: Words['distinct'], prefix: string): boolean {
  for (const word of words) if (word?.startsWith(prefix)) return true
  return false
}

/** Where a part of a phrase ends: at these positions, or at all others. It begins `width` words before. As in PostgreSQL's tsvector_op.c. */
interface Places {
  readonly positions: readonly number[]
  readonly areOthers: boolean
  readonly width: number
}

const nowhere: Places = { positions: [], areOthers: false, width: 0 }

const isFound = ({ positions, areOthers }: Places): boolean => positions.length > 0 || areOthers

function placesOf(search: Search, words: Words): Places {
  switch (search.kind) {
    case 'word':
      return { ...nowhere, positions: positionsOf(search, words) }
    case 'not': {
      const places = placesOf(search.of, words)
      return { ...places, areOthers: !places.areOthers }
    }
    case 'or':
      return eitherPlaces(placesOf(search.left, words), placesOf(search.right, words))
    default:
      return bothPlaces(search, placesOf(search.left, words), placesOf(search.right, words))
  }
}

function positionsOf({ word, isPrefix }: SearchWord, { all }: Words): number[] {
  const positions: number[] = []
  for (const [at, one] of all.entries()) if (isPrefix ? one?.startsWith(word) : one === word) positions.push(at + 1)
  return positions
}

function bothPlaces(search: SearchPair, left: Places, right: Places): Places {
  if (!isFound(left) || !isFound(right)) return nowhere
  if (search.kind === 'and') return intersection(...aligned(left, right))
  const { distance } = search
  const width = distance + left.width + right.width
  return { ...intersection(moved(left, distance + right.width), right), width }
}

function eitherPlaces(left: Places, right: Places): Places {
  if (!isFound(left) && !isFound(right)) return nowhere
  return inverted(
    intersection(...aligned(inverted(isFound(left) ? left : nowhere), inverted(isFound(right) ? right : nowhere))),
  )
}

const inverted = (places: Places): Places => ({ ...places, areOthers: !places.areOthers })

const moved = (places: Places, by: number): Places =>
  by === 0 ? places : { ...places, positions: places.positions.map((position) => position + by) }

/** The narrower of the two ends where the wider one does. */
function aligned(left: Places, right: Places): [Places, Places] {
  const width = Math.max(left.width, right.width)
  return [
    { ...moved(left, width - left.width), width },
    { ...moved(right, width - right.width), width },
  ]
}

/** Places that are in both. */
function intersection(left: Places, right: Places): Places {
  const { width } = right
  if (left.areOthers && right.areOthers)
    return { positions: [...new Set([...left.positions, ...right.positions])], areOthers: true, width }
  const [some, others] = left.areOthers ? [right, left] : [left, right]
  const known = new Set(others.positions)
  return { positions: some.positions.filter((one) => known.has(one) !== others.areOthers), areOthers: false, width }
}
