import type { Random } from '../random.ts'

/** Pieces that have broken parsers, engines and encoders elsewhere. */
const odd = [
  ...['', ' ', '"', "'", '\\', '%', '_', '*', '(', ')', '{', '}', '[', ']', ',', '.', ':', '::', ';', '&', '=', '+'],
  ...["';--", '" or ""="', '../', '->', '->>', '!', '...', '$1', '?1', '#', '|', '^', '~', '<', '>', '`', '\t', '\r\n'],
  ...[
    '\u0000',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '\ud800',
    '\udfff',
    'é',
    'İ',
    'ß',
    'ﬁ',
    '𝄞',
    '😀',
    'e\u0301',
  ],
  ...['null', 'true', 'NaN', 'undefined', '[object Object]', '__proto__', 'constructor', 'toString', 'company_id'],
  ...['0', '-0', '-1', '1', '2147483648', '9007199254740993', '-9223372036854775809', '1e999', '0x10', '1.5', '١'],
] as const

const moments = ['2026-01-01', '2026-01-01T00:00:00Z', '2026-01-02 03:04:05.678901+02', 'infinity', '-infinity']
const strangeMoments = [
  ...['99999-01-01', '0000-00-00', '2026-02-30', '2026-01-01T24:00:00', '2026-12-31T23:59:60Z', 'now', 'epoch'],
  ...[
    '2026-01-01T00:00:00+99:99',
    '0001-01-01T00:00:00+15:59',
    '9999-12-31T23:59:59-12',
    '2026-01-01 00:00:00.9999999',
  ],
]
const patterns = [
  ...[
    '*a*',
    'A%',
    '_lpha',
    '%\\%%',
    '\\',
    '^A',
    'a$',
    '[a-z]+',
    'b|B',
    'a{2}',
    '(',
    '[',
    'a{1,99999}',
    '(a+)+$',
    '\\d',
    '(?i)x',
  ],
  ...[
    'x*y*z*',
    '[[:alpha:]]',
    '\\1',
    '(?<n>x)',
    'a**',
    '+',
    '[z-a]',
    'beta & !x',
    'alpha or "beta 2"',
    '<->',
    'a:*',
    '!!a',
    '& |',
  ],
]
const words = [
  'Alpha',
  'Beta',
  'beta 2',
  'Ünïcode Straße',
  'a,b',
  'q"uote',
  "o'clock",
  '50%_off',
  '(x)',
  'back\\slash',
  'NULL',
]

export const oddText = (random: Random): string => random.pick(odd)
export const moment = (random: Random): string => random.mostly(moments, strangeMoments)
export const pattern = (random: Random): string => random.pick(patterns)

/** A name as people write it, now and then with something odd in it, and rarely far too long. */
export function name(random: Random): string {
  const base = random.pick(words)
  if (random.chance(0.8)) return base
  if (random.chance(0.02)) return base.repeat(random.pick([30, 300, 3000]))
  return random.chance(0.5) ? base + oddText(random) : anyText(random)
}

/** Any UTF-16 at all, halves of surrogate pairs included. */
export function anyText(random: Random): string {
  return random.some(12, () => String.fromCharCode(random.below(random.pick([128, 128, 256, 0x1_0000])))).join('')
}

/** The same text with something missing, doubled, swapped or put in. */
export function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const end = at + random.below(4)
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at) + text.slice(end)
    case 1:
      return text.slice(0, end) + text.slice(at)
    case 2:
      return text.slice(0, at)
    case 3:
      return text.slice(0, at) + text.charAt(at).toUpperCase() + text.slice(at + 1)
    case 4:
      return text.slice(0, at) + oddText(random).repeat(random.chance(0.02) ? 2000 : 1) + text.slice(at)
    default:
      return text.slice(0, at) + anyText(random) + text.slice(end)
  }
}

/** For a place in a URL: mostly as it should be encoded, sometimes not at all, and sometimes wrongly. */
export function encoded(random: Random, text: string): string {
  const sound = encodeURIComponent(text.toWellFormed())
  if (random.chance(0.94)) return sound
  if (random.chance(0.4)) return sound.replaceAll('%2C', ',').replaceAll('%28', '(').replaceAll('%29', ')')
  return (
    sound +
    random.pick([
      '%',
      '%zz',
      '%f',
      '%00',
      '%ff',
      '%c0%af',
      '%ed%a0%80',
      '%25',
      '%u0041',
      '%E2%82',
      '+',
      ';',
      '|',
      '"',
      '<',
      '\\',
      '^',
      '{',
    ])
  )
}
