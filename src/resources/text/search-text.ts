import { languages, type SearchLanguage } from './languages.ts'
import { parseSearch, type Search, type SearchPair, type SearchWord, wordsOf } from './search.ts'
import { inLanguage } from './search-language.ts'

/** Whether a text has what a search, in the spelling of `spellSearch`, asks for. */
export function searcherOf(query: string, language: SearchLanguage): (text: string) => boolean {
  const parsed = query === '' ? null : parseSearch(query)
  const search = parsed && inLanguage(parsed, language)
  return (text) => search !== null && holds(search, wordsIn(text, language))
}

/** The words of a text as its language has them, each with its positions from 1 on, in their order. Those that are too common are left out. */
type Words = ReadonlyMap<string, readonly number[]>

let latest = { text: '', language: 'simple', words: wordsFrom([]) }

/** All searches of a request look at the same text, one after another. */
function wordsIn(text: string, language: SearchLanguage): Words {
  if (latest.text !== text || latest.language !== language)
    latest = { text, language, words: wordsFrom(wordsOf(text).map(languages[language])) }
  return latest.words
}

function wordsFrom(all: readonly (string | null)[]): Words {
  const words = new Map<string, number[]>()
  let position = 0
  for (const word of all) {
    position += 1
    if (word === null) continue
    const positions = words.get(word)
    if (positions === undefined) words.set(word, [position])
    else positions.push(position)
  }
  return words
}

function holds(search: Search, words: Words): boolean {
  switch (search.kind) {
    case 'word':
      return search.isPrefix ? withPrefix(search.word, words).length > 0 : words.has(search.word)
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

const withPrefix = (prefix: string, words: Words): readonly string[] =>
  [...words.keys()].filter((word) => word.startsWith(prefix))

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
      return bothPlaces(search, words)
  }
}

function positionsOf({ word, isPrefix }: SearchWord, words: Words): readonly number[] {
  if (!isPrefix) return words.get(word) ?? []
  return withPrefix(word, words)
    .flatMap((one) => words.get(one) ?? [])
    .sort((one, other) => one - other)
}

/** Looks to the right first, because the left one of a phrase of many words is all others. */
function bothPlaces(search: SearchPair, words: Words): Places {
  const right = placesOf(search.right, words)
  if (!isFound(right)) return nowhere
  const left = placesOf(search.left, words)
  if (!isFound(left)) return nowhere
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

/** Places that are in both. Positions are in ascending order. */
function intersection(left: Places, right: Places): Places {
  const areOthers = left.areOthers && right.areOthers
  const positions: number[] = []
  let atLeft = 0
  let atRight = 0
  while (atLeft < left.positions.length || atRight < right.positions.length) {
    const ofLeft = left.positions[atLeft] ?? Number.POSITIVE_INFINITY
    const ofRight = right.positions[atRight] ?? Number.POSITIVE_INFINITY
    const isOfLeft = ofLeft <= ofRight
    const isOfRight = ofRight <= ofLeft
    const isInBoth = isOfLeft !== left.areOthers && isOfRight !== right.areOthers
    if (isInBoth !== areOthers) positions.push(isOfLeft ? ofLeft : ofRight)
    if (isOfLeft) atLeft += 1
    if (isOfRight) atRight += 1
  }
  return { positions, areOthers, width: right.width }
}
