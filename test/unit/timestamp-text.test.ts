import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { date } from '../../src/types/date.ts'
import { parseTimestamp } from '../../src/types/timestamp-text.ts'

afterEach(() => void setSystemTime())

describe('a time in a request', () => {
  const spellings: readonly [text: string, zone: string | undefined, found: string][] = [
    ['2026-01-31', undefined, '2026-01-31T00:00:00+00:00'],
    ['2026-01-31 12:00:00.5+02', undefined, '2026-01-31T10:00:00.5+00:00'],
    ['20260131', undefined, '2026-01-31T00:00:00+00:00'],
    ['20260131T101112Z', undefined, '2026-01-31T10:11:12+00:00'],
    ['20260131 1011', undefined, '2026-01-31T10:11:00+00:00'],
    ['20260131T10:11:12.25-0330', undefined, '2026-01-31T13:41:12.25+00:00'],
    ['epoch', 'Asia/Tokyo', '1970-01-01T00:00:00+00:00'],
    ['-Infinity', undefined, '-infinity'],
    // Without an offset, it is a time in the zone.
    ['2026-01-31', 'Europe/Berlin', '2026-01-30T23:00:00+00:00'],
    ['2026-07-31T12:00', 'Europe/Berlin', '2026-07-31T10:00:00+00:00'],
    ['2026-07-31T12:00Z', 'Europe/Berlin', '2026-07-31T12:00:00+00:00'],
    ['20260731T120000.000001', 'Asia/Kolkata', '2026-07-31T06:30:00.000001+00:00'],
    ['2026-12-31T24:00', 'America/New_York', '2027-01-01T05:00:00+00:00'],
    // The hour that is left out in spring, and the one that comes twice in autumn.
    ['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59+00:00'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00+00:00'],
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00+00:00'],
    ['2026-10-25T01:59:59', 'Europe/Berlin', '2026-10-24T23:59:59+00:00'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T01:30:00+00:00'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00+00:00'],
    ['9999-12-31T23:59', 'America/New_York', 'infinity'],
    ['0001-01-01', 'Asia/Tokyo', '-infinity'],
  ]
  test.each(spellings)('%s (%s) is %s', (text, zone, found) => expect(parseTimestamp(text, zone)).toBe(found))

  test.each(['', 'today()', '2026013', '202601310', 'next week'])('"%s" is none', (text) =>
    expect(() => parseTimestamp(text)).toThrow('invalid input syntax for type timestamp with time zone'),
  )

  test.each(['20261301', '20260131T2500', '2026-02-30'])('"%s" is not in the calendar', (text) =>
    expect(() => parseTimestamp(text)).toThrow('date/time field value out of range'),
  )

  const words: readonly [word: string, zone: string, found: string][] = [
    ['now', 'UTC', '2026-03-28T22:30:00.25+00:00'],
    ['now()', 'Asia/Tokyo', '2026-03-28T22:30:00.25+00:00'],
    ['today', 'UTC', '2026-03-28T00:00:00+00:00'],
    ['yesterday', 'UTC', '2026-03-27T00:00:00+00:00'],
    ['tomorrow', 'UTC', '2026-03-29T00:00:00+00:00'],
    // It is the 29th there already, …
    ['today', 'Asia/Tokyo', '2026-03-28T15:00:00+00:00'],
    // … and here tomorrow is a day of 23 hours.
    ['today', 'Europe/Berlin', '2026-03-27T23:00:00+00:00'],
    [' Tomorrow ', 'Europe/Berlin', '2026-03-28T23:00:00+00:00'],
  ]
  test.each(words)('%s (%s) is %s', (word, zone, found) => {
    setSystemTime(new Date('2026-03-28T22:30:00.250Z'))
    expect(parseTimestamp(word, zone)).toBe(found)
  })

  const days: readonly [text: string, zone: string, found: string][] = [
    ['today', 'UTC', '2026-03-28'],
    ['now', 'Asia/Tokyo', '2026-03-29'],
    ['tomorrow', 'Asia/Tokyo', '2026-03-30'],
    ['epoch', 'America/New_York', '1970-01-01'],
    ['20260131', 'America/New_York', '2026-01-31'],
    ['20260131T101112Z', 'America/New_York', '2026-01-31'],
    ['infinity', 'UTC', 'infinity'],
  ]
  test.each(days)('%s (%s) is the day %s', (text, zone, found) => {
    setSystemTime(new Date('2026-03-28T22:30:00.250Z'))
    expect(date.parseOperand(text, zone)).toBe(found)
  })

  test('is the same as it is stored and with a blank before it, on every day', () => {
    const two = (number: number): string => String(number).padStart(2, '0')
    const outcome = (parse: (text: string) => string, text: string): string => {
      try {
        return parse(text)
      } catch (error) {
        // The message quotes the text.
        return String(error).replaceAll(' ', '')
      }
    }
    for (const year of ['0000', '0001', '0004', '1900', '2000', '2026', '9999'])
      for (let month = 0; month <= 13; month += 1)
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${two(month)}-${two(day)}`
          const times = ['T00:00:00', 'T23:59:59.5', 'T24:00:00', 'T23:59:60', 'T10:11:12.120', 'T10:11:12.1234567']
          expect(outcome(date.parseOperand, text)).toBe(outcome(date.parseOperand, ` ${text}`))
          for (const moment of times.map((time) => `${text}${time}+00:00`))
            expect(outcome(parseTimestamp, moment)).toBe(outcome(parseTimestamp, ` ${moment}`))
        }
  })

  test.each(['2026-1-31T10:00Z', '2026-01-31 1000  +0100 ', ' 20260131T101112.5 utc', '2026-01-31 10:00\tGMT'])(
    'the time in "%s" is ignored',
    (text) => expect(date.parseOperand(text)).toBe('2026-01-31'),
  )

  test('is not longer than any spelling of one', () => {
    const padded = (length: number): string => '2026-01-31 1000'.padEnd(length)
    expect(date.parseOperand(padded(100))).toBe('2026-01-31')
    const refusal = `invalid input syntax for type date: "${padded(100)}…"`
    for (const parse of [date.parseOperand, (text: string) => date.parse(text, 'due_on')])
      expect(() => parse(padded(101))).toThrow(refusal)
  })

  test.each(['today()', '2026', '26-01-31', 'day'])('"%s" is no day', (text) =>
    expect(() => date.parseOperand(text)).toThrow('invalid input syntax for type date'),
  )
})
