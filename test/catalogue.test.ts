import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/cli/index.ts'
import { settings } from '../src/config/config.ts'
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
const [readme, errorsPage] = await Promise.all(
  ['README.md', 'docs/errors.md'].map((path) => Bun.file(`${root}${path}`).text()),
)

describe('docs/errors.md', () => {
  const sections = [...(errorsPage ?? '').matchAll(/^### `(\S+)` · (\d{3})\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(
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
