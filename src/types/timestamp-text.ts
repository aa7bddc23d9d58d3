import { failure } from '../errors/index.ts'

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

const spelling =
  /^\s*(\d{4,6})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?\s*$/i

const lengthMax = 100

/** ISO 8601 as people and PostgreSQL write it → the form of `timestampText`, to the microsecond. */
export function parseTimestamp(text: string): string {
  if (text.length > lengthMax) throw failure.timeInvalid(`${text.slice(0, lengthMax)}…`)
  const word = text.trim().toLowerCase()
  if (word === 'infinity' || word === '-infinity') return word
  const parts = spelling.exec(text)
  if (!parts) throw failure.timeInvalid(text)
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts
  const micros = Math.round(Number(`0.${fraction || '0'}`) * 1e6)
  const numbers = [year, month, day, hour, minute, second].map(Number)
  if (!isOnCalendar(numbers)) throw failure.timeInvalid(text)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers
  if (y > 9999) return 'infinity'
  const moment = new Date(0)
  moment.setUTCFullYear(y, mo - 1, d)
  moment.setUTCHours(h, mi - offsetMinutes(zone), s + Math.floor(micros / 1e6))
  // Stored years have four digits, so for a comparison any other year is infinity.
  if (moment.getUTCFullYear() > 9999) return 'infinity'
  if (moment.getUTCFullYear() < 1) return '-infinity'
  return `${moment.toISOString().slice(0, 19)}${fractionText(micros % 1e6)}+00:00`
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
