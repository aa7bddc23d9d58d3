import { expect, test } from 'bun:test'
import { readablePath } from '../../src/web/requests/readable-path.ts'

test('a path is shown as it was meant, where that is text and stays unambiguous', () => {
  const paths = {
    '/bid?bid_name=eq.%E6%96%B0%e3%81%97': '/bid?bid_name=eq.新し',
    '/bid?bid_name=eq.a%20b%26c%3Dd%2Fe%2C': '/bid?bid_name=eq.a b%26c%3Dd%2Fe%2C',
    '/bid?a=%ff&b=%C3%A9': '/bid?a=%ff&b=é',
    '/bid?a=%E2%80%AEgpj%00%0A&b=100%': '/bid?a=%E2%80%AEgpj%00%0A&b=100%',
    '/project?id=eq.1': '/project?id=eq.1',
  }
  for (const [path, shown] of Object.entries(paths)) expect(readablePath(path)).toBe(shown)
})
