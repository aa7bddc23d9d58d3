import { describe, expect, test } from 'bun:test'
import { createLog } from '../../src/log/log.ts'
import { collect } from '../support/collect.ts'

const hostile = [
  ['a line of its own', 'a\nERROR forged', 'a\\nERROR forged'],
  ['a carriage return', 'a\rforged', 'a\\u000dforged'],
  ['an escape sequence', '\u001b[2J\u001b[H', '\\u001b[2J\\u001b[H'],
  ['an escape sequence of one character', '\u009b2J', '\\u009b2J'],
  ['a backspace', 'ok\b\bno', 'ok\\u0008\\u0008no'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a change of direction', '\u202edrawkcab', '\\u202edrawkcab'],
] as const

describe('a log', () => {
  test.each(hostile)('in text shows %s as what it is', (_, value, shown) => {
    const lines: string[] = []
    createLog('text', 'info', collect(lines)).error('request', { cause: value })
    expect(lines.join('')).toEndWith(`ERROR request cause=${shown}\n`)
  })

  test.each(hostile)('in JSON keeps %s, and shows nothing of it to a terminal', (_, value) => {
    const lines: string[] = []
    createLog('json', 'info', collect(lines)).error('request', { cause: value })
    const line = lines.join('')
    expect(JSON.parse(line)).toMatchObject({ level: 'error', event: 'request', cause: value })
    expect(line).toMatch(/^[\u0020-\u007e]+\n$/)
  })

  test.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ] as const)('of the level %s has these levels: %p', (least, shown) => {
    const lines: string[] = []
    const log = createLog('json', least, collect(lines))
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level, {})
    expect(lines.map((line) => JSON.parse(line).level)).toEqual([...shown])
  })

  test('that is off still prints what is for people', () => {
    const lines: string[] = []
    const log = createLog('off', 'info', collect(lines))
    log.info('request', {})
    log.print('ready\n')
    expect(lines).toEqual(['ready\n'])
  })
})
