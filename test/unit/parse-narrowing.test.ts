import { expect, test } from 'bun:test'
import type { Narrowing } from '../../src/keys/narrowing.ts'
import { parseNarrowing } from '../../src/keys/parse-narrowing.ts'

const known = ['project', 'bid']
const refuse = (part: string, what: string) => new Error(`${part} ${what}`)
const parse = (given: Partial<Record<keyof Narrowing, readonly string[]>>) =>
  parseNarrowing({ resources: null, may: null, addresses: null, ...given }, { known, refuse })

test('words are put in order, and each is taken once', () => {
  expect(parse({ resources: ['bid', 'project', 'bid'], may: ['delete', 'read', 'read'] })).toEqual({
    resources: ['project', 'bid'],
    may: ['read', 'delete'],
    addresses: null,
  })
})

test('networks are spelled in one way, and each is taken once', () => {
  const { addresses } = parse({ addresses: ['2001:DB8::/32', ' 10.0.0.0/8 ', '2001:db8::/32'] })
  expect(addresses).toEqual(['2001:db8::/32', '10.0.0.0/8'])
  expect(parse({ addresses: [] }).addresses).toBe(null)
  expect(parse({ addresses: addresses ?? [] }).addresses).toEqual(addresses)
})

const networks = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`)

test.each<[Parameters<typeof parse>[0], string]>([
  [{ resources: ['project', 'person'] }, 'resources has "person", which is unknown'],
  [{ resources: [] }, 'resources is empty'],
  [{ may: ['fly'] }, 'may has "fly", which is unknown'],
  [{ may: [] }, 'may is empty'],
  [{ addresses: ['10.0.0.0/33'] }, 'addresses has "10.0.0.0/33", which is no network'],
  [{ addresses: [''] }, 'addresses has "", which is no network'],
  [{ addresses: networks(51) }, 'addresses has too many networks'],
])('%j is refused', (given, words) => expect(() => parse(given)).toThrow(words))

test('as many networks as are allowed can be given', () => {
  expect(parse({ addresses: networks(50) }).addresses).toHaveLength(50)
})
