import { expect, test } from 'bun:test'
import { withFigures } from '../../prove/document.ts'

test('docs/reliability.md tells every promise, with the figures of its last run', async () => {
  const text = await Bun.file(new URL('../../docs/reliability.md', import.meta.url)).text()
  expect(withFigures(text)).toBe(text)
})
