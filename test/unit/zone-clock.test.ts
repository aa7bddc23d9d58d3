import { expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { parseTimestamp } from '../../src/types/timestamp-text.ts'
import { zoneClock } from '../../src/types/zone-clock.ts'

const textOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

test('shows a moment as a clock in the zone does, on both sides of every change of its offset', () => {
  const berlin = zoneClock('Europe/Berlin')
  for (const [moment, shown] of [
    ['2026-03-29T00:59:59+00:00', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00+00:00', '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:59:59.123456+00:00', '2026-10-25T02:59:59.123456+02:00'],
    ['2026-10-25T01:00:00+00:00', '2026-10-25T02:00:00+01:00'],
    ['2025-12-31T23:30:00+00:00', '2026-01-01T00:30:00+01:00'],
  ] as const)
    expect(berlin(moment)).toBe(shown)
  expect(zoneClock('Asia/Kathmandu')('2026-01-01T20:00:00+00:00')).toBe('2026-01-02T01:45:00+05:45')
  expect(zoneClock('America/St_Johns')('2026-01-01T00:00:00.5+00:00')).toBe('2025-12-31T20:30:00.5-03:30')
})

test('shows offsets with seconds, and years at both ends, as PostgreSQL prints them', () => {
  expect(zoneClock('Europe/Berlin')('1890-01-01T00:00:00+00:00')).toBe('1890-01-01T00:53:28+00:53:28')
  expect(zoneClock('Asia/Tokyo')('9999-12-31T23:00:00+00:00')).toBe('10000-01-01T08:00:00+09:00')
  expect(zoneClock('America/New_York')('0001-01-01T00:00:00+00:00')).toBe('0001-12-31T19:03:58-04:56:02 BC')
})

test('leaves what is no moment as it is', () => {
  for (const text of ['infinity', '-infinity', '', '2026-01-01', 'Bridge'])
    expect(zoneClock('Asia/Tokyo')(text)).toBe(text)
})

test('agrees with Intl about any moment in any zone', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const span = { min: Date.parse('1850-01-01'), max: Date.parse('2150-01-01') }
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer(span), (zone, ms) => {
      const moment = Math.floor(ms / 1000) * 1000
      const fields = new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
        hourCycle: 'h23',
      })
      const shown = fields.format(moment).replace(/[,\s]+/, 'T')
      expect(zoneClock(zone)(textOf(moment))).toStartWith(shown)
      // The same moment again, whatever the clock says it is.
      expect(Temporal.Instant.from(zoneClock(zone)(textOf(moment))).epochMilliseconds).toBe(moment)
    }),
    { numRuns: 500 },
  )
})

test('shows a local time of any year as it was sent', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Sydney'])
    for (const year of ['0100', '1750', '1950', '2026', '2250', '9990'])
      for (const local of [`${year}-01-15T12:00:00`, `${year}-07-15T12:00:00`])
        expect(zoneClock(zone)(parseTimestamp(local, zone))).toStartWith(local)
})

test('looks the offsets up once, however many moments there are', () => {
  const looks = spyOn(Temporal.Instant, 'fromEpochMilliseconds')
  const clock = zoneClock('America/Chicago')
  const start = Date.parse('2000-01-01')
  const random = (at: number): number => start + ((at * 7_919_777) % 631_152_000) * 1000
  for (let at = 0; at < 20_000; at += 1) clock(textOf(random(at)))
  expect(zoneClock('AMERICA/chicago')(textOf(start))).toBe(clock(textOf(start)))
  expect(looks.mock.calls.length).toBeLessThanOrEqual(1)
  looks.mockRestore()
})
