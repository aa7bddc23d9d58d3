import { stem } from 'porter2'
import { memoizeText } from '../../caches/memoize.ts'

/** What a word is searched by, or null for one that is too common to be searched for. */
type Lexeme = (word: string) => string | null

const lexemesMax = 20_000

/** The languages of full-text search, by the names that PostgreSQL has for them. Words are in lower case. */
export const languages = {
  simple: (word) => word,
  // The dictionary of PostgreSQL, too, takes a word with digits as it is.
  english: memoizeText((word) => (stopWords.has(word) ? null : /[0-9]/.test(word) ? word : stem(word)), lexemesMax),
} as const satisfies Record<string, Lexeme>

export type SearchLanguage = keyof typeof languages
export const languageNames = Object.keys(languages) as SearchLanguage[]

/** PostgreSQL's list for English. */
const stopWords: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
  has had having do does did doing a an the and but if or because as until while of at by for with about against between
  into through during before after above below to from up down in out on off over under again further then once here there
  when where why how all any both each few more most other some such no nor not only own same so than too very s t can will
  just don should now`.split(/\s+/),
)
