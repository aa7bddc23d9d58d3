import { expect, test } from 'bun:test'
import type { LoggedRequest, RequestsPage } from '../../src/settings/documents/credentials.ts'
import { withNewest, withOlder } from '../../src/web/requests/merge-requests.ts'

/** `page('cba', 'b')`: three requests, newest first, and where the next page begins. */
const page = (ids: string, next: string | null): RequestsPage => ({
  requests: [...ids].map((id) => ({ id }) as LoggedRequest),
  next,
  is_on: true,
})

const shown = ({ requests, next }: RequestsPage) => [requests.map(({ id }) => id).join(''), next]

test('new requests come on top of what was read before', () => {
  const before = withOlder(page('fed', 'd'), page('cb', 'b'))
  expect(shown(before)).toEqual(['fedcb', 'b'])
  expect(shown(withNewest(before, page('hgf', 'f')))).toEqual(['hgfedcb', 'b'])
  expect(shown(withNewest(page('b', null), page('dcb', null)))).toEqual(['dcb', null])
})

test('a request that ended late takes its place', () => {
  expect(shown(withNewest(page('fdb', 'b'), page('fed', 'd')))).toEqual(['fedb', 'b'])
})

test('where some were never read, the list begins again', () => {
  expect(shown(withNewest(page('cba', null), page('zyx', 'x')))).toEqual(['zyx', 'x'])
  expect(shown(withNewest(page('cba', null), page('', null)))).toEqual(['', null])
  expect(shown(withNewest(null, page('cba', null)))).toEqual(['cba', null])
})
