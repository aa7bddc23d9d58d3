import { RE2JS } from 're2js'
import { memoizeText } from '../../caches/memoize.ts'
import { failure } from '../../errors/index.ts'
import { type Anchor, isAnchor, respell, splitPattern } from './pattern-parts.ts'
import { markWords } from './word-marks.ts'

type Matcher = (text: string) => boolean

/** Whether a text has a match, in time that grows with its length and no faster. Takes what `parsePattern` makes. */
export function matcherOf(pattern: string, ignoreCase: boolean): Matcher {
  return compile(`${ignoreCase ? 'i' : ' '}${pattern}`)
}

/** Each holds up to twice its budget of bytes in memory. */
const compiledMax = 64

/** A sign for the case, then the pattern. Checking a request and running it on SQLite share what is compiled. */
const compile = memoizeText((key): Matcher => {
  const { body, ignoreCase, byLine } = splitPattern(key.slice(1))
  const flags =
    RE2JS.DOTALL | ((ignoreCase ?? key[0] === 'i') ? RE2JS.CASE_INSENSITIVE : 0) | (byLine ? RE2JS.MULTILINE : 0)
  if (!hasWordEnds(body)) {
    const compiled = compileOrRefuse(respell(body, plainAtom), flags)
    return (text) => compiled.test(text)
  }
  // Once as it is, because what it is turned into has other mistakes.
  compileOrRefuse(respell(body, plainAtom), flags)
  const compiled = compileOrRefuse(`\\A(?:...)*(?:${respell(body, markedAtom)})`, flags)
  return (text) => compiled.test(markWords(text))
}, compiledMax)

/** RE2 knows where a word begins or ends, but not which of the two it is. */
function hasWordEnds(body: string): boolean {
  let found = false
  respell(body, (atom) => {
    found ||= atom === '\\m' || atom === '\\M'
    return atom
  })
  return found
}

const plainAnchors: Record<Anchor, string> = {
  '^': '^',
  $: '$',
  '\\A': '\\A',
  '\\Z': '\\z',
  '\\m': '\\b',
  '\\M': '\\b',
  '\\y': '\\b',
  '\\Y': '\\B',
}
const plainAtom = (atom: string): string => (isAnchor(atom) ? plainAnchors[atom] : atom)

/** In a text with marks, see `markWords`. */
const markedAnchors: Record<Anchor, string> = {
  ...plainAnchors,
  '^': '\\A',
  $: '\\z',
  '\\m': '(?m:^)\\b',
  '\\M': '\\b(?m:$)',
}
const markedAtom = (atom: string): string => (isAnchor(atom) ? markedAnchors[atom] : `(?:.${atom}.)`)

/** What RE2 complains of → PostgreSQL's words for it. */
const complaints: readonly (readonly [RegExp, string])[] = [
  [/closing \)|unexpected \)/, 'parentheses () not balanced'],
  [/closing \]|character class/, 'brackets [] not balanced'],
  [/repeat count/, 'invalid repetition count(s)'],
  [/repetition/, 'quantifier operand invalid'],
]

function compileOrRefuse(pattern: string, flags: number): RE2JS {
  try {
    return limitMemory(RE2JS.compile(pattern, flags))
  } catch (error) {
    const [, details] = complaints.find(([complaint]) => complaint.test(String(error))) ?? []
    throw failure.patternInvalid(details ?? 'it cannot be parsed')
  }
}

const machineBytesMax = 256 * 1024

/** The library would let each pattern remember 8 MB of states. */
function limitMemory(compiled: RE2JS): RE2JS {
  const { dfa } = compiled.re2()
  dfa.stateBudget = machineBytesMax
  dfa.memBudget = machineBytesMax
  return compiled
}
