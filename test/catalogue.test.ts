import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/cli/index.ts'
import { settings } from '../src/config/settings.ts'
import { failure } from '../src/errors/index.ts'
import { parseAccept } from '../src/request/parse-accept.ts'
import { payloadParserOf } from '../src/request/parse-payload.ts'
import { parsePreferences } from '../src/request/parse-preferences.ts'
import { parseSelect } from '../src/request/parse-select.ts'
import { findColumn, project } from '../src/resources/index.ts'
import { respondWithError } from '../src/response/respond-with-error.ts'
import { findCast } from '../src/types/find-cast.ts'
import { text } from '../src/types/text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [errorsPage = '', configurationPage = '', commandsPage = '', readme = ''] = await Promise.all(
  ['docs/errors.md', 'docs/configuration.md', 'docs/commands.md', 'README.md'].map((path) =>
    Bun.file(`${root}${path}`).text(),
  ),
)

describe('docs/errors.md', () => {
  const sections = [...errorsPage.matchAll(/^### `(\S+)` · (\d{3})\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(
    ([, code = '', status, text = '']) => ({ code, status: Number(status), text }),
  )

  test('explains every code that there is, with its status, and no other', () => {
    const known = new Set(Object.values(failure).map(({ status, code }) => `${code} ${status}`))
    expect(sections.map(({ code, status }) => `${code} ${status}`).sort()).toEqual([...known].sort())
  })

  test('shows the example of a failure with each code', () => {
    for (const { code, text } of sections) {
      const [, body = ''] = /```json\n([\s\S]*?)\n```/.exec(text) ?? []
      const same = Object.values(failure).filter((one) => one.code === code)
      expect(same.map(({ example }) => String(respondWithError(example()).body))).toContain(body)
    }
  })
})

describe('the examples of failures', () => {
  // Their hints list what the service knows, which may grow.
  const thrown: readonly [keyof typeof failure, () => unknown][] = [
    ['preferencesInvalid', () => parsePreferences('handling=strict, return=all')],
    ['mediaTypeUnavailable', () => parseAccept('text/html')],
    ['contentTypeUnsupported', () => payloadParserOf('text/xml')],
    ['unparsable', () => parseSelect('id,,bid_id')],
    ['columnUnknown', () => findColumn(project, 'projectname')],
    ['typeUnknown', () => findCast(text, 'money')],
  ]
  for (const [name, fail] of thrown) {
    test(`show ${name} as it is thrown`, () => {
      const { message, more } = failure[name].example()
      expect(fail).toThrow(expect.objectContaining({ message, more }))
    })
  }
})

test('docs/configuration.md has the settings with their defaults and meanings, and no other', () => {
  const all = Object.entries(settings).map(([name, { fallback, meaning }]) => [name, fallback, meaning])
  expect(rowsUnder(configurationPage, '## Settings')).toEqual(all)
})

describe('docs/commands.md', () => {
  const rows = rowsUnder(commandsPage, '## All commands').map(([usage = '']) => usage.replaceAll('\\|', '|'))

  test('has the commands, and no other', () => {
    expect(rows.map((usage) => usage.replace(/ (?:[A-Z]|--|\[).*$/, ''))).toEqual(Object.keys(commands))
  })

  test('shows all words and flags of each', () => {
    for (const [at, { words, flags }] of Object.values(commands).entries()) {
      const all = Object.entries(flags).map(([flag, { value }]) => (value ? `--${flag} ` : `--${flag}`))
      for (const part of [...words, ...all]) expect(rows[at]).toContain(part)
    }
  })
})

test('README.md fits on a few screens', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150)
})

describe('the links of', () => {
  const pages = [...new Bun.Glob('{*.md,docs/*.md}').scanSync(root)].sort()

  test.each(pages)('%s lead to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)]
    const broken = links.filter(([, path = '', anchor = '']) => !leadsSomewhere(page, path, anchor))
    expect(broken.map(([link]) => link)).toEqual([])
  })

  function leadsSomewhere(page: string, path: string, anchor: string): boolean {
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, target))) return false
    return anchor === '' || !target.endsWith('.md') || anchorsOf(read(target)).includes(anchor)
  }

  const read = (page: string): string => readFileSync(join(root, page), 'utf8')

  /** As GitHub makes them: `## Many instances` → `#many-instances` */
  const anchorsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(
      ([, heading = '']) =>
        `#${heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-')}`,
    )
})

/** The cells of the table in one section of a page, without the backquotes around them. */
function rowsUnder(page: string, heading: string): string[][] {
  const [, section = ''] = page.split(`\n${heading}\n`)
  const [text = ''] = section.split('\n## ')
  const [, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  )
}
