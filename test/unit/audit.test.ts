import { describe, expect, test } from 'bun:test'
import { judge } from '../../scripts/audit.ts'

const advisory = (id: string, name: string) => ({
  name,
  title: 'Does harm',
  url: `https://github.com/advisories/${id}`,
  severity: 'high',
})
const report = {
  vulnerabilities: {
    one: { via: [advisory('GHSA-1', 'one')] },
    two: { via: ['one', advisory('GHSA-2', 'two'), advisory('GHSA-1', 'one')] },
  },
}

describe('the audit of dependencies', () => {
  test('is good where nothing is known, and says so', () => {
    const { isGood, lines } = judge({ vulnerabilities: {} }, {})
    expect([isGood, lines]).toEqual([
      true,
      ['0 known weaknesses in what is installed with the service, 0 of them allowed.'],
    ])
  })

  test('is not good with a weakness that nobody allowed, and names it once', () => {
    const { isGood, lines } = judge(report, { 'GHSA-1': 'Not reached from here.' })
    expect(isGood).toBe(false)
    expect(lines).toEqual([
      'GHSA-2 (high) in two: Does harm. https://github.com/advisories/GHSA-2',
      '2 known weaknesses in what is installed with the service, 1 of them allowed.',
    ])
  })

  test('is good where all are allowed, and not with an allowance that nothing needs', () => {
    const reasons = { 'GHSA-1': 'Not reached from here.', 'GHSA-2': 'Waits for 2.0.' }
    expect(judge(report, reasons).isGood).toBe(true)
    expect(judge(report, { ...reasons, 'GHSA-3': 'Gone.' })).toMatchObject({
      isGood: false,
      lines: [expect.stringContaining('GHSA-3'), expect.any(String)],
    })
  })

  test.each([
    ['npm gave no report', null],
    ['405 Method Not Allowed', { message: '405 Method Not Allowed' }],
    ['npm gave no report', {}],
  ])('pretends nothing where it was not done: %s', (why, none) => {
    const { isGood, lines } = judge(none, { 'GHSA-1': 'Not reached from here.' })
    expect([isGood, lines.length]).toEqual([true, 1])
    expect(lines[0]).toStartWith('NOT AUDITED: ')
    expect(lines[0]).toContain(why)
  })
})
