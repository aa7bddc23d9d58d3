import { describe, expect, test } from 'bun:test'
import { openapiText } from '../../src/docs/openapi.ts'
import { html } from '../../src/docs/page/html.ts'
import type { Document } from '../../src/docs/page/openapi-types.ts'
import { referencePageText } from '../../src/docs/page/reference-page.ts'

const document: Document = JSON.parse(openapiText('https://api.example.org'))
const files = { icon: '/i.svg', styles: '/s.css', firstPaint: '/f.js', script: '/r.js' }
const page = referencePageText(document, files)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

/** `a &lt; b` → `a < b`, without tags. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')

/** The text of the section of an operation. */
const sectionOf = (id: string): string =>
  page.split(`<section class="operation" id="${id}"`)[1]?.split('</section>')[0] ?? ''
const idOf = (summary: string) => summary.toLowerCase().replaceAll(' ', '-')
/** The names that a section links or explains. */
const namesIn = (markup: string): string[] =>
  [...markup.matchAll(/<code>([^<]+)<\/code>/g)].map(([, name = '']) => plain(name))

describe('the reference page', () => {
  test.each(operations)('has $method $path with its parameters, answers and errors', (operation) => {
    const section = sectionOf(idOf(operation.summary))
    expect(section).toContain(`>${operation.method}</span> <code>/rest/v1${operation.path}</code>`)
    const wanted = (operation.parameters ?? []).map(({ $ref }) => $ref.split('/').at(-1) ?? '')
    const names = wanted.map((key) => document.components.parameters[key]?.name)
    expect(namesIn(section)).toEqual(expect.arrayContaining(names))
    const statuses = Object.keys(operation.responses).filter((status) => status !== 'default')
    for (const status of statuses) expect(plain(section)).toContain(status)
  })

  test('explains every parameter, header, operator and preference', () => {
    const { parameters, headers, ...components } = document.components
    const explained = [...page.matchAll(/data-title="([^"]*)"/g)].map(([, title = '']) => plain(title))
    const names = [
      ...Object.values(parameters).map(({ name }) => name),
      ...Object.keys(headers),
      ...Object.keys(components['x-filters'].operators),
      ...Object.keys(components['x-preferences']),
    ]
    expect(explained).toEqual(expect.arrayContaining(names))
  })

  test('has every error with its code, message and hint', () => {
    const text = plain(page.slice(page.indexOf('id="errors"')))
    for (const { value } of Object.values(document.components.examples))
      for (const words of [value.code, value.message, value.details, value.hint]) expect(text).toContain(words ?? '')
  })

  test('has every webhook, and what all of them send', () => {
    const text = plain(page.split('id="webhooks"')[1]?.split('</section>')[0] ?? '')
    for (const [name, { post }] of Object.entries(document.webhooks ?? {}))
      for (const words of [name, post.summary, ...post.parameters.map((one) => one.name)]) expect(text).toContain(words)
    expect(Object.keys(document.webhooks ?? {})).toContain('project.created')
  })

  test('says once what is the same for all resources', () => {
    for (const explained of [document.components.parameters.select, document.components.headers.ETag])
      expect(plain(page).split(explained?.description.replaceAll('`', '') ?? '').length).toBe(2)
  })

  test('shows what a POST usually answers first', () => {
    const section = sectionOf('create-projects')
    expect(section.indexOf('<dt>201</dt>')).toBeGreaterThan(0)
    expect(section.indexOf('<dt>201</dt>')).toBeLessThan(section.indexOf('<dt>200</dt>'))
  })

  test('has examples in which rows belong together, and no key of anybody', () => {
    expect(page).toContain(
      '-H &quot;apikey: $PROJECT_API_KEY&quot; \\\n  -H &quot;X-API-Secret: $PROJECT_API_SECRET&quot;',
    )
    expect(page).toContain('https://api.example.org/rest/v1/project?')
    expect(page).not.toMatch(/pa[ks]_\w{6}/)
    const [, bid] = /&quot;bid_id&quot;: &quot;([0-9a-f-]{36})&quot;/.exec(page) ?? []
    expect(sectionOf('create-or-replace-one-bid')).toContain(`id=eq.${bid}`)
  })

  test('has no id twice, and no link that leads nowhere', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)
    expect(ids.length).toBe(new Set(ids).size)
    const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => id)
    expect([...new Set(links)].filter((id) => !ids.includes(id))).toEqual([])
  })

  test('can be read where nothing is built', () => {
    const bare = referencePageText(document, { icon: null, styles: null, firstPaint: null, script: null })
    expect(bare).not.toContain('<script')
    expect(bare).toContain('List projects')
  })
})

test('texts in markup are escaped, and what is nothing is left out', () => {
  expect(html`<b title="${'"'}">${['<i>', html`<u>${1}</u>`]}${null}${false}</b>`.text).toBe(
    '<b title="&quot;">&lt;i&gt;<u>1</u></b>',
  )
})
