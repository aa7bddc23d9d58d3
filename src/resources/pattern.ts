import { RE2JS } from 're2js'
import { memoizeText } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'

/** Shorthands mean ASCII on one engine and the letters of all languages on another; written out, they mean the same. */
const classes: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: ' \\t\\n\\r\\f\\v',
  '[:alpha:]': 'A-Za-z',
  '[:digit:]': '0-9',
  '[:alnum:]': '0-9A-Za-z',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:space:]': ' \\t\\n\\r\\f\\v',
  '[:punct:]': '!-\\/:-@\\[-`{-~',
}

const patternMax = 500

const token =
  /\\(?<escape>[\s\S])|(?<class>\[:[a-z]+:\])|(?<open>\[\^?\]?)|(?<close>\])|\((?<group>\?:?)|\{(?<bound>\d+)(?:,(?<most>\d*))?\}|(?<brace>\{(?=\d))|[\s\S]/gu

/**
 * `^b\w+` → `^b[0-9A-Za-z_]+`: a regular expression that both engines read alike, or a failure.
 * What is left of the language can be matched in linear time. Whether it is well-formed is known once it is compiled.
 */
export function parsePattern(text: string): string {
  if (text.length > patternMax) failPattern(`it is longer than ${patternMax} characters`)
  let inBrackets = false
  let pattern = ''
  for (const { 0: whole, groups = {} } of text.matchAll(token)) {
    const { escape: letter, class: named, open, close, group, bound, most, brace } = groups
    if (letter !== undefined) pattern += escaped(letter, inBrackets)
    else if (named !== undefined && inBrackets) pattern += classOf(named)
    else if (group !== undefined && !inBrackets && group !== '?:')
      throw failure.patternInvalid('quantifier operand invalid')
    else if ((bound !== undefined || most !== undefined) && !inBrackets) pattern += bounded(whole, bound, most)
    // A bound that does not end, for PostgreSQL; for RE2, plain signs.
    else if (brace !== undefined && !inBrackets) failPattern('invalid repetition count(s)')
    else pattern += whole
    if (open !== undefined) inBrackets = true
    else if (close !== undefined) inBrackets = false
  }
  return pattern
}

function escaped(letter: string, inBrackets: boolean): string {
  if (/[tnrfv]/.test(letter) || !/[0-9A-Za-z]/.test(letter)) return `\\${letter}`
  const ranges = classes[letter.toLowerCase()]
  if (ranges === undefined) throw failure.patternInvalid(`invalid escape \\ sequence "\\${letter}"`)
  const isNegated = letter !== letter.toLowerCase()
  if (inBrackets && isNegated) throw failure.patternInvalid(`"\\${letter}" within brackets`)
  return inBrackets ? ranges : `[${isNegated ? '^' : ''}${ranges}]`
}

function classOf(name: string): string {
  return classes[name] ?? failPattern(`invalid character class "${name}"`)
}

/** PostgreSQL counts no further than 255. */
function bounded(whole: string, bound = '0', most = '0'): string {
  return Math.max(Number(bound), Number(most)) > 255 ? failPattern('invalid repetition count(s)') : whole
}

function failPattern(details: string): never {
  throw failure.patternInvalid(details)
}

/** What RE2 complains of → PostgreSQL's words for it. */
const complaints: readonly (readonly [RegExp, string])[] = [
  [/closing \)|unexpected \)/, 'parentheses () not balanced'],
  [/closing \]|character class/, 'brackets [] not balanced'],
  [/repeat count/, 'invalid repetition count(s)'],
  [/repetition/, 'quantifier operand invalid'],
]

/** Whether a text has a match, in time that grows with its length and no faster. Takes what `parsePattern` makes. */
export function matcherOf(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const compiled = compile(`${ignoreCase ? 'i' : ' '}${pattern}`)
  return (text) => compiled.test(text)
}

/** Each holds up to twice its budget of bytes in memory. */
const compiledMax = 64

/** A sign for the case, then the pattern. Checking a request and running it on SQLite share what is compiled. */
const compile = memoizeText((key) => {
  const pattern = key.slice(1)
  // RE2 lets an anchor be repeated; PostgreSQL does not.
  if (/(?:^|[^\\])(?:\\\\)*[$^][*+?{]/.test(pattern.replace(/\[\^?\]?[^\]]*\]/g, 'x')))
    failPattern('quantifier operand invalid')
  return limitMemory(compileOrRefuse(pattern, key[0] === 'i'))
}, compiledMax)

function compileOrRefuse(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
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
