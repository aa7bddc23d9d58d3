import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('../../src/web/', import.meta.url))
const read = (path: string): string => readFileSync(`${web}${path}`, 'utf8')
const scale = [...read('type-scale.css').matchAll(/--type-[a-z]+/g)].map(([name]) => name)

test('every size of text is one of the scale', () => {
  const used = new Set<string>()
  for (const path of new Bun.Glob('**/*.css').scanSync(web)) {
    if (path === 'type-scale.css') continue
    const text = read(path)
    for (const [, name = ''] of text.matchAll(/var\((--type-[a-z]+)\)/g)) used.add(name)
    const sizes = [...text.matchAll(/font(?:-size)?:\s([^;]*);/g)].map(([, value = '']) => value.trim())
    const others = sizes.filter((value) => value !== 'inherit' && !value.includes('var(--type-'))
    expect([path, others]).toEqual([path, []])
  }
  expect([...used].sort()).toEqual([...scale].sort())
})

test('so are those of components', () => {
  const named = [...read('theme.ts').matchAll(/'var\((--type-[a-z]+)\)'/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !scale.includes(name))).toEqual([])
  for (const path of new Bun.Glob('**/*.tsx').scanSync(web))
    expect([path, read(path).includes('fontSize')]).toEqual([path, false])
})
