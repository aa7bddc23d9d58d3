import { failure } from '../../errors/index.ts'
import { isAnchor, joinPattern, type KeptOptions } from './pattern-parts.ts'

const patternMax = 500

/** Those that may have a meaning in an expression, and have none behind a `\`. */
const signs = /[!-/:-@[-`{-~]/g

/**
 * `(?i)^b\w+` → `(?i)^b[0-9A-Za-z_]+`: a regular expression that both engines read alike, or a failure.
 * What is left of the language can be matched in linear time. Whether it is well-formed is known once it is compiled.
 */
export function parsePattern(text: string): string {
  if (text.length > patternMax) fail(`it is longer than ${patternMax} characters`)
  const [start = '', letters = ''] = /^\(\?([a-z]+)\)/.exec(text) ?? []
  const options = parseOptions(letters)
  const rest = text.slice(start.length)
  const body = options.isLiteral ? rest.replace(signs, '\\$&') : parseBody(rest, options)
  return joinPattern({ ...options, body })
}

/** What stands before an expression, in all its letters. */
interface Options extends KeptOptions {
  /** `.` and `[^a]` do not match the end of a line. */
  readonly stopsAtLine: boolean
  /** Blanks and comments do not count. */
  readonly isExpanded: boolean
  readonly isLiteral: boolean
}

const noOptions: Options = {
  ignoreCase: null,
  byLine: false,
  stopsAtLine: false,
  isExpanded: false,
  isLiteral: false,
}

const optionLetters: Readonly<Record<string, Partial<Options>>> = {
  i: { ignoreCase: true },
  c: { ignoreCase: false },
  n: { byLine: true, stopsAtLine: true },
  m: { byLine: true, stopsAtLine: true },
  p: { byLine: false, stopsAtLine: true },
  w: { byLine: true, stopsAtLine: false },
  s: { byLine: false, stopsAtLine: false },
  x: { isExpanded: true },
  t: { isExpanded: false },
  q: { isLiteral: true },
}

function parseOptions(letters: string): Options {
  let options = noOptions
  for (const letter of letters) {
    const change = Object.hasOwn(optionLetters, letter) ? optionLetters[letter] : undefined
    if (!change) fail(`the option "${letter}" is not supported. Options: ${Object.keys(optionLetters).join(', ')}`)
    options = { ...options, ...change }
  }
  return options.isLiteral ? { ...noOptions, ignoreCase: options.ignoreCase, isLiteral: true } : options
}

const escapeText = String.raw`\\(?<sign>x[0-9A-Fa-f]+|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])`

const tokens = [
  escapeText,
  String.raw`(?<start>\[\^?\]?)(?<members>(?:\[:[a-z]+:\]|\\[\s\S]|[^\]\\])*)`,
  String.raw`(?<comment>\(\?#[^)]*\))`,
  String.raw`\((?<group>\?(?:<?[=!]|:)?)`,
  String.raw`(?<repeat>[*+?]|\{(?<bound>\d+)(?:,(?<most>\d*))?\})`,
  String.raw`(?<brace>\{(?=\d))`,
  String.raw`[\s\S]`,
]
const token = new RegExp(tokens.join('|'), 'gu')
const expandedToken = new RegExp([String.raw`(?<blank>\s+|#[^\n]*)`, ...tokens].join('|'), 'gu')

function parseBody(text: string, { isExpanded, stopsAtLine, byLine }: Options): string {
  let pattern = ''
  let previous: 'start' | 'atom' | 'repeat' = 'start'
  for (const { 0: whole, groups = {} } of text.matchAll(isExpanded ? expandedToken : token)) {
    const { sign, start, members = '', comment, group, repeat, bound, most, brace, blank } = groups
    if (comment !== undefined || blank !== undefined) {
      // Otherwise `a+ ?` would become `a+?`.
      if (previous === 'repeat') previous = 'start'
      continue
    }
    if (repeat !== undefined && previous === 'start') fail('quantifier operand invalid')
    const isPlace = isAnchor(whole)
    previous = repeat !== undefined ? 'repeat' : isPlace || whole === '|' || whole.startsWith('(') ? 'start' : 'atom'
    if (byLine && /^\\[mM]$/.test(whole)) fail(`${whole} together with the options n, m and w is not supported`)
    if (isPlace) pattern += whole
    else if (sign !== undefined) pattern += escaped(sign)
    else if (start !== undefined) pattern += set(start, members, stopsAtLine)
    else if (group !== undefined) pattern += opened(group)
    else if (bound !== undefined) pattern += bounded(whole, bound, most)
    // A bound that does not end, for PostgreSQL; for RE2, plain signs.
    else if (brace !== undefined) fail('invalid repetition count(s)')
    else pattern += stopsAtLine && whole === '.' ? '[^\\n]' : whole
  }
  return pattern
}

const member = new RegExp(String.raw`${escapeText}|(?<named>\[:[a-z]+:\])`, 'gu')

/** What stands in brackets, without the last one. */
function set(start: string, members: string, stopsAtLine: boolean): string {
  if (/\[[.=]/.test(members)) fail('[. and [= within brackets are not supported')
  const written = members.replace(member, (_, ...rest) => {
    const { sign, named = '' }: { readonly sign?: string; readonly named?: string } = rest.at(-1)
    return sign === undefined ? classOf(named) : escapedInSet(sign)
  })
  return start + (stopsAtLine && start.startsWith('[^') ? '\\n' : '') + written
}

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

function classOf(name: string): string {
  return classes[name] ?? fail(`invalid character class "${name}"`)
}

/** `d` → `[0-9]`, `D` → `[^0-9]` */
function escaped(sign: string): string {
  const ranges = classes[sign.toLowerCase()]
  return ranges === undefined ? character(sign) : `[${sign === sign.toLowerCase() ? '' : '^'}${ranges}]`
}

function escapedInSet(sign: string): string {
  const ranges = classes[sign.toLowerCase()]
  if (ranges === undefined) return character(sign)
  return sign === sign.toLowerCase() ? ranges : fail(`"\\${sign}" within brackets`)
}

/** One character: `.` → `\.`, `n` → `\n`, `x57` → `W` */
function character(sign: string): string {
  if (/^[xuU]./.test(sign)) return characterOf(Number.parseInt(sign.slice(1), 16), sign)
  if (sign > '\x7f') return sign
  if (/[tnrfv]/.test(sign) || !/[0-9A-Za-z]/.test(sign)) return `\\${sign}`
  if (/[1-9]/.test(sign)) fail(`back-references such as \\${sign} are not supported`)
  if (sign === 'b') fail('\\b is not supported; write \\y for the start or the end of a word')
  return fail(`invalid escape \\ sequence "\\${sign}"`)
}

function characterOf(code: number, sign: string): string {
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
  if (!isCharacter) fail(`invalid escape \\ sequence "\\${sign}"`)
  return String.fromCodePoint(code).replace(signs, '\\$&')
}

/** What stands behind the `(`. */
function opened(group: string): string {
  if (group === '?:') return '(?:'
  return fail(group === '?' ? 'quantifier operand invalid' : `look-around such as (${group}…) is not supported`)
}

/** PostgreSQL counts no further than 255. */
function bounded(whole: string, bound: string, most = '0'): string {
  return Math.max(Number(bound), Number(most)) > 255 ? fail('invalid repetition count(s)') : whole
}

function fail(details: string): never {
  throw failure.patternInvalid(details)
}
