import { CastError, type CastProblem } from './cast-error.ts'
import { type IntegerName, integerDigits, numericText } from './cast-number.ts'
import type { CastName, Casts } from './column-type.ts'
import { parseTimestamp } from './timestamp-text.ts'
import { uuid } from './uuid.ts'

/** How a text is read as another type. */
interface TextCast {
  /** The spellings accepted on both engines. null: the engines agree. */
  readonly spelling: string | null
  /** The failure for any other spelling. */
  readonly otherwise: CastProblem
  read(text: string): string | number
}

const blank = String.raw`[ \t\n\r\f\v]*`
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?`
const offset = String.raw`(?:Z|[+-](?:0\d|1[0-5])(?::?[0-5]\d)?)?`
const moment = String.raw`\d{4}-\d\d-\d\d(?:[T ]${time}${offset})?`
const number = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)`

const integerCast = (type: IntegerName): TextCast => ({
  spelling: String.raw`[+-]?\d+`,
  otherwise: 'unreadable',
  read: (text) => integerDigits(BigInt(text.replace('+', '')), type),
})

const momentCast = (read: (text: string) => string): TextCast => ({ spelling: moment, otherwise: 'no time', read })

/** In UTC, a time on one of these days may be before year 1 or in year 10000, which only PostgreSQL can show. */
const edgeDay = '0001-01-01|9999-12-31'

/** Those that need more than a cast of the engine. */
const textCasts = {
  smallint: integerCast('smallint'),
  integer: integerCast('integer'),
  bigint: integerCast('bigint'),
  // A few signs must not become a hundred thousand digits.
  numeric: { spelling: `${number}(?:e[+-]?\\d\\d?)?`, otherwise: 'unreadable', read: numericText },
  'double precision': { spelling: `${number}(?:e[+-]?\\d+)?`, otherwise: 'unreadable', read: readDouble },
  boolean: {
    spelling: 't|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0',
    otherwise: 'unreadable',
    read: (text) => (/^(?:[ty1]|on)/i.test(text) ? 1 : 0),
  },
  date: momentCast((text) => parseTimestamp(withoutOffset(text)).slice(0, 10)),
  timestamp: momentCast((text) => parseTimestamp(withoutOffset(text)).slice(0, -6)),
  timestamptz: { ...momentCast((text) => parseTimestamp(text)), spelling: `(?!${edgeDay})${moment}` },
  time: { spelling: time, otherwise: 'no time', read: readTime },
  timetz: { spelling: time + offset, otherwise: 'no time', read: readZonedTime },
  uuid: { spelling: null, otherwise: 'unreadable', read: (text) => uuid.parse(text, '') },
  json: { spelling: null, otherwise: 'unreadable', read: readJson },
} as const satisfies Partial<Record<CastName, TextCast>>

export type TextCastName = keyof typeof textCasts

/** For SQLite: reads a text as another type, or throws. */
export function castText(type: TextCastName, text: string): string | number {
  const { spelling, otherwise, read }: TextCast = textCasts[type]
  const spelled = spelling === null ? text : spellings[type]?.exec(text)?.[1]
  if (spelled === undefined) throw new CastError(otherwise, type)
  try {
    return read(spelled)
  } catch (error) {
    throw error instanceof CastError ? error : new CastError(otherwise, type)
  }
}

const everyCast = <Made>(make: (type: TextCastName, cast: TextCast) => Made) =>
  Object.fromEntries(
    Object.entries(textCasts).map(([type, cast]) => [type, make(type as TextCastName, cast)]),
  ) as Record<TextCastName, Made>

const spellings = everyCast((_, { spelling }) =>
  spelling === null ? null : new RegExp(`^${blank}(${spelling})${blank}$`, 'i'),
)

/** What a text can be cast to. */
export const textCastsTo: readonly CastName[] = [...(Object.keys(textCasts) as TextCastName[]), 'text', 'char']

/** For SQLite, where `$` stands for the text. */
export const sqliteTextCasts: Casts = {
  ...everyCast((type) => (isInteger(type) ? `cast(cast_text('${type}', $) as integer)` : `cast_text('${type}', $)`)),
  text: 'cast($ as text)',
  char: "substr($ || ' ', 1, 1)",
}

/** Casts 'x' instead of a spelling that we refuse, so that PostgreSQL raises its own error. */
function guarded(type: TextCastName): string {
  const { spelling }: TextCast = textCasts[type]
  if (spelling === null) return `$::${type}`
  return `(case when $ ~* '^${blank}(?:${spelling})${blank}\\Z' then $ else 'x' end)::${type}`
}

/** For PostgreSQL. */
export const postgresTextCasts: Casts = {
  ...everyCast(guarded),
  // There is no -0 in JSON here.
  'double precision': `(${guarded('double precision')} + 0)`,
  // A line break would look like the end of a row.
  json: "replace($, chr(10), ' ')::json",
}

function isInteger(type: TextCastName): type is IntegerName {
  return type === 'smallint' || type === 'integer' || type === 'bigint'
}

function readJson(text: string): string {
  JSON.parse(text)
  return text
}

function readDouble(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || (value === 0 && /^[^e]*[1-9]/i.test(text)))
    throw new CastError('out of range', 'double precision')
  return value + 0
}

const withoutOffset = (text: string): string =>
  text.replace(/(?:Z|[+-]\d\d(?::?\d\d)?)$/i, (zone, at) => (at > 10 ? '' : zone))

/** `06:07` → `06:07:00` */
function readTime(text: string): string {
  const [, minutes = '', seconds = ':00', fraction = ''] = /^(\d\d:\d\d)(:\d\d)?(\.\d+)?/.exec(text) ?? []
  return minutes + seconds + fraction.replace(/\.?0+$/, '')
}

/** `06:07Z` → `06:07:00+00` */
function readZonedTime(text: string): string {
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):?(\d\d)?$/.exec(text) ?? []
  const isUtc = hours === '00' && minutes === '00'
  return `${readTime(text)}${isUtc ? '+' : sign}${hours}${minutes === '00' ? '' : `:${minutes}`}`
}
