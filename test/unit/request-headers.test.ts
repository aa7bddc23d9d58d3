import { describe, expect, spyOn, test } from 'bun:test'
import { ApiError } from '../../src/errors/index.ts'
import { parseAccept } from '../../src/request/parse-accept.ts'
import { parsePreferences } from '../../src/request/parse-preferences.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { growsInLine } from '../support/growth.ts'

function refusal(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, code: error.code, message: error.message }
    throw error
  }
  return null
}

describe('preferences', () => {
  test('of a kind count by the first of them', () => {
    expect(parsePreferences('count=exact, count=planned, return=minimal,,max-affected=3,max-affected=4')).toEqual({
      count: 'exact',
      return: 'minimal',
      'max-affected': 3,
    })
    expect(parsePreferences('timezone=nowhere, timezone=Asia/Tokyo')).toEqual({ timezone: 'Asia/Tokyo' })
  })

  test('for a time zone are looked up once, however many there are and whoever sends them', () => {
    const formats = spyOn(Intl, 'DateTimeFormat')
    const header = 'timezone=Antarctica/Troll,'.repeat(5000)
    for (let times = 0; times < 3; times += 1)
      expect(parsePreferences(header)).toEqual({ timezone: 'Antarctica/Troll' })
    expect(formats).toHaveBeenCalledTimes(1)
    parsePreferences(`timezone=${'A'.repeat(100_000)}`)
    expect(formats).toHaveBeenCalledTimes(1)
    parsePreferences(Array.from({ length: 5000 }, (_, at) => `timezone=No/Where${at}`).join(','))
    expect(formats.mock.calls.length).toBeLessThanOrEqual(31)
    formats.mockRestore()
  })

  test('behind the thirtieth are ignored, or refused when asked to be strict', () => {
    const many = 'x,'.repeat(40)
    expect(parsePreferences(`${many}count=exact`)).toEqual({})
    expect(refusal(() => parsePreferences(`handling=strict,${many}`))).toEqual({
      status: 400,
      code: 'PGRST100',
      message: 'More than 30 preferences in one request',
    })
    expect(refusal(() => parsePreferences('handling=strict, timezone=nowhere'))).toMatchObject({ code: 'PGRST122' })
  })
})

test('media types behind the fiftieth are ignored', () => {
  expect(parseAccept(`${'image/png,'.repeat(49)}text/csv`).shape).toBe('csv')
  expect(refusal(() => parseAccept(`${'image/png,'.repeat(50)}text/csv`))).toMatchObject({ code: 'PGRST107' })
})

describe('a header that is four times as long takes at most eight times as long', () => {
  const lengthMax = 120_000
  const names = ['prefer', 'accept', 'if-none-match', 'range', 'accept-profile']
  const pieces = [
    ',',
    ';',
    '=',
    '"',
    'W/"',
    ' ',
    'a',
    'a,',
    '"a",',
    'a=b,',
    'timezone=UTC,',
    'text/csv;q=0.5,',
    '0-',
    '9',
  ]
  for (const name of names) {
    test(`as ${name}`, () => {
      const slow = pieces.filter((piece) => {
        const run = (length: number) => {
          const headers = new Headers({ [name]: `x${piece.repeat(length / piece.length)}x` })
          return () => void refusal(() => parseRequest('GET', '', headers))
        }
        return !growsInLine(run(lengthMax / 4), run(lengthMax))
      })
      expect(slow).toEqual([])
    }, 300_000)
  }
})
