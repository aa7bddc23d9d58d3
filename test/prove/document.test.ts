import { expect, test } from 'bun:test'
import { withFigures } from '../../prove/document.ts'
import { proofs } from '../../prove/proofs.ts'
import { brokenSource } from '../../prove/sabotage.ts'

test('docs/reliability.md tells every promise, with the figures of its last run', async () => {
  const text = await Bun.file(new URL('../../docs/reliability.md', import.meta.url)).text()
  expect(withFigures(text)).toBe(text)
})

// A guard that has moved is found here at once, and not after minutes of attacks.
for (const [name, { controls }] of Object.entries(proofs)) {
  test.each(controls)(`the guard of ${name} that a control breaks is there: $breaks`, (control) => {
    expect(brokenSource(control)).toContain(control.instead)
  })
}
