import { describe, expect, test } from 'bun:test'
import { chooseCoding, createChooser } from '../../src/coding/choose-coding.ts'

describe('what Accept-Encoding chooses', () => {
  test.each([
    [null, null],
    ['', null],
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['br, deflate', null],
    ['identity', null],
    ['zstd;q=0.5, gzip', 'gzip'],
    ['zstd;q=0.5, gzip;q=0.5', 'zstd'],
    ['zstd;q=0, gzip;q=0.001', 'gzip'],
    ['gzip;q=0', null],
    ['gzip;q=0.000', null],
    ['gzip;q=nonsense', null],
    ['gzip ; q = 0.3 ,\tzstd ;q= 0.2', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0', null],
    ['*;q=0, zstd', 'zstd'],
    ['gzip;q=0, *', null],
    ['zstd;q=0.2, *;q=0.1', 'zstd'],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0', null],
    ['identity;q=0, *', 'gzip'],
    ['gzipped, zstandard', null],
    [',,;q=1, ;, gzip', 'gzip'],
  ] as const)('%p → %p', (header, coding) => expect(chooseCoding(header)).toBe(coding))

  test('of other codings, the first of those that are wanted alike', () => {
    const choose = createChooser(['br', 'gzip'])
    expect([choose('gzip, br'), choose('gzip, br;q=0.9'), choose('zstd, gzip')]).toEqual(['br', 'gzip', 'gzip'])
  })
})
