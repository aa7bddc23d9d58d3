import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/cli/index.ts'
import { settings } from '../src/config/config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [readme, errorsPage, errorsSource] = await Promise.all(
  ['README.md', 'docs/errors.md', 'src/errors.ts'].map((path) => Bun.file(`${root}${path}`).text()),
)

describe('docs/errors.md', () => {
  const sections = [...(errorsPage ?? '').matchAll(/^### `(\S+)` · (\d{3})\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(
    ([, code = '', status, text = '']) => ({ code, status: Number(status), text }),
  )

  test('explains every code that the source has, with its status, and no other', () => {
    const inSource = [...(errorsSource ?? '').matchAll(/\bfail\(\s*(\d{3}),\s*'([^']+)'/g)]
    const known = new Set(inSource.map(([, status, code]) => `${code} ${status}`))
    expect(sections.map(({ code, status }) => `${code} ${status}`).sort()).toEqual([...known].sort())
  })

  test('shows a body of each code, in the form that every error has', () => {
    for (const { code, text } of sections) {
      const [, body = ''] = /```json\n([\s\S]*?)\n```/.exec(text) ?? []
      const example = JSON.parse(body || '{}')
      expect(Object.keys(example), code).toEqual(['code', 'message', 'details', 'hint'])
      expect(example.code).toBe(code)
    }
  })
})

describe('README.md', () => {
  test('has the settings with their defaults, and no other', () => {
    const written = rowsUnder('## Settings').map(([name, fallback]) => [name, fallback])
    expect(written).toEqual(Object.entries(settings).map(([name, { fallback }]) => [name, fallback]))
  })

  test('has the commands, and no other', () => {
    const written = rowsUnder('## Commands').map(([usage = '']) => usage.replace(/ (?:[A-Z]|--|\[).*$/, ''))
    expect(written).toEqual(Object.keys(commands))
  })
})

/** The cells of the table in one section of the README, without the backquotes around them. */
function rowsUnder(heading: string): string[][] {
  const [, section = ''] = (readme ?? '').split(`\n${heading}\n`)
  const [text = ''] = section.split('\n## ')
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  )
}
