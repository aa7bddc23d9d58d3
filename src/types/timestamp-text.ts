import { failure } from '../errors/index.ts'
import { zoneClock } from './zone-clock.ts'
import { secondOfLocal } from './zone-offsets.ts'

/** `2026-01-03T00:00:00.12+00:00`, as PostgreSQL writes it in JSON. Such texts sort by time. */
export function timestampText(moment: Date): string {
  return moment.toISOString().replace(/\.?0*Z$/, '+00:00')
}

let latest = { ms: 0, text: '' }

/** `timestampText` of the current time, cached for one millisecond. */
export function nowText(): string {
  const ms = Date.now()
  if (latest.ms !== ms) latest = { ms, text: timestampText(new Date(ms)) }
  return latest.text
}

/** A day as it is stored, but for those of February that only some years have. */
const dayPattern = String.raw`(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
export const storedDay: RegExp = new RegExp(`^${dayPattern}$`)
const storedMoment = new RegExp(String.raw`^${dayPattern}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,5}[1-9])?\+00:00$`)

const zoneSpelling = String.raw`\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?\s*$`
const spellings = [
  // 2026-01-31 12:00:00.5+01
  String.raw`^\s*(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?`,
  // 20260131T120000.5+01
  String.raw`^\s*(\d{4})(\d{2})(\d{2})(?:[T ]+(\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?`,
].map((start) => new RegExp(start + zoneSpelling, 'i'))

/** Longer than any spelling of a time. */
export const lengthMax = 100

/** PostgreSQL's words that mean another time whenever they are read. */
const relativeWords: Readonly<Record<string, (zone: string) => string>> = {
  now: nowText,
  'now()': nowText,
  yesterday: (zone) => midnight(zone, -1),
  today: (zone) => midnight(zone, 0),
  tomorrow: (zone) => midnight(zone, 1),
}

/** PostgreSQL's words for a time. */
const words: typeof relativeWords = {
  infinity: () => 'infinity',
  '-infinity': () => '-infinity',
  epoch: () => timestampText(new Date(0)),
  ...relativeWords,
}

export const isRelativeTime = (text: string): boolean => Object.hasOwn(relativeWords, text.trim().toLowerCase())

/** The beginning of a day in the zone. */
function midnight(zone: string, daysOn: number): string {
  const today = zoneClock(zone)(nowText()).slice(0, 10)
  return timestampText(new Date(secondOfLocal(Date.parse(today) / 1000 + daysOn * 86_400, zone) * 1000))
}

/**
 * ISO 8601 as people and PostgreSQL write it, or one of its words → the form of `timestampText`, to the microsecond.
 * What has no offset is a time in the zone.
 */
export function parseTimestamp(text: string, zone = 'UTC'): string {
  if (storedMoment.test(text)) return text
  if (text.length > lengthMax) throw failure.timeInvalid(`${text.slice(0, lengthMax)}…`)
  const word = text.trim().toLowerCase()
  if (Object.hasOwn(words, word)) return words[word]?.(zone) ?? ''
  const parts = spellings[0]?.exec(text) ?? spellings[1]?.exec(text)
  if (!parts) throw failure.timeInvalid(text)
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', offset] = parts
  const micros = Math.round(Number(`0.${fraction || '0'}`) * 1e6)
  const numbers = [year, month, day, hour, minute, second].map(Number)
  if (!isOnCalendar(numbers)) throw failure.timeOutOfRange(text)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers
  if (y > 9999) return 'infinity'
  const local = new Date(0)
  local.setUTCFullYear(y, mo - 1, d)
  local.setUTCHours(h, mi - offsetMinutes(offset ?? 'Z'), s + Math.floor(micros / 1e6))
  const isLocal = offset === undefined && zone !== 'UTC'
  const moment = isLocal ? new Date(secondOfLocal(local.getTime() / 1000, zone) * 1000) : local
  // Stored years have four digits, so for a comparison any other year is infinity.
  if (moment.getUTCFullYear() > 9999) return 'infinity'
  if (moment.getUTCFullYear() < 1) return '-infinity'
  return `${moment.toISOString().slice(0, 19)}${fractionText(micros % 1e6)}+00:00`
}

/** The same for a value that is stored: a year of five digits is a slip, and not infinity. */
export function parseStored(text: string, parse: (text: string) => string): string {
  const parsed = parse(text)
  if (/^\d/.test(parsed) || /infinity/i.test(text)) return parsed
  throw failure.timeOutOfRange(text)
}

function isOnCalendar([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: number[]): boolean {
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  const dayEnds = hour === 24 && minute === 0 && second === 0
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= lastDay &&
    (hour <= 23 || dayEnds) &&
    minute <= 59 &&
    second <= 60
  )
}

function offsetMinutes(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const fractionText = (micros: number): string =>
  micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`
