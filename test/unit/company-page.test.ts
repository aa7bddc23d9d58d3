import { describe, expect, test } from 'bun:test'
import { documentedFailures } from '../../src/docs/failures.ts'
import { openapiText } from '../../src/docs/openapi.ts'
import { createPages } from '../../src/docs/pages.ts'
import { keepPage, respondWithPage, streamPage } from '../../src/docs/respond-with-page.ts'
import type { Column, Resource } from '../../src/resources/define.ts'
import { resources } from '../../src/resources/index.ts'
import { resourcesWithin } from '../../src/rest/resources-within.ts'

/** As many columns as a company can add, each with as many choices as there can be. */
const choices = Array.from({ length: 100 }, (_, at) => ({ value: `${'x'.repeat(61)}${at}`, label: '', color: 'gray' }))
const added = Array.from({ length: 64 }, (_, at): [string, Column] => [
  `own_${at}`,
  { name: `own_${at}`, type: 'choice', nullable: true, description: 'x'.repeat(500), choices } as unknown as Column,
])
const large: Resource[] = []
for (const one of resources)
  large.push({ ...one, columns: one.isReadOnly ? one.columns : new Map([...one.columns, ...added]), siblings: large })

const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Request('http://localhost/rest/v1/', { method, headers })

/** A part that takes no more than a few milliseconds to make. */
const partMax = 500_000

describe('the description for a company with many columns', () => {
  const page = createPages(null).describe(large)
  const making = { turn: () => null, coding: null }

  test('is made in short parts', () => {
    const parts = [...page.parts()]
    expect(parts.join('')).toBe(openapiText(null, large))
    expect(parts.length).toBeGreaterThan(10)
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(partMax)
  })

  test('takes a turn before each part, also for its tag', async () => {
    const steps: string[] = []
    const turn = () => {
      steps.push('turn')
      return null
    }
    const watched = { ...page, parts: () => told(page.parts(), () => steps.push('part')) }
    const { body } = await streamPage(ask(), watched, { turn, coding: null })
    for await (const _ of body as AsyncIterable<string>);
    const parts = steps.filter((step) => step === 'part').length
    expect(parts).toBe([...page.parts()].length * 2)
    expect(steps.join(' ')).not.toContain('part part')
  })

  test('is not made where it is not sent', async () => {
    let made = 0
    const watched = { ...page, parts: () => told(page.parts(), () => (made += 1)) }
    const { headers } = await streamPage(ask(), watched, making)
    const tagged = made
    expect((await streamPage(ask({ 'If-None-Match': String(headers.ETag) }), watched, making)).status).toBe(304)
    expect(await streamPage(ask({}, 'HEAD'), watched, making)).toEqual({ status: 200, headers, body: null })
    expect(made).toBe(tagged)
  })

  test('is no longer for a credential that may use less of it', () => {
    const rights = { resources: ['project'], may: null, networks: null }
    const less = resourcesWithin(large, { access: 'read-write', rights })
    expect(openapiText(null, less).length).toBeLessThan(openapiText(null, large).length)
  })

  test('shows the failures of the service, which are made once', () => {
    expect(documentedFailures()).toBe(documentedFailures())
  })
})

test('a page for everybody that was made beforehand is not made for a request', async () => {
  const { shared } = createPages(null)
  expect(shared).toHaveLength(3)
  for (const page of shared) {
    let made = 0
    let turns = 0
    const watched = { ...page, parts: () => told(page.parts(), () => (made += 1)) }
    const turn = () => {
      turns += 1
      return null
    }
    await keepPage(watched, turn)
    const before = made
    expect(turns).toBeGreaterThanOrEqual(before)
    expect((await respondWithPage(ask(), watched, turn)).status).toBe(200)
    expect(made).toBe(before)
  }
})

function* told(parts: Iterable<string>, tell: () => void): Generator<string> {
  for (const part of parts) {
    tell()
    yield part
  }
}
