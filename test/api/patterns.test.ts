import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'

/** Patterns that people write, and what they find. */
const useful: Readonly<Record<string, readonly string[]>> = {
  '^AB[0-9]{2,4}-\\d{3}$': ['AB12-345'],
  '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$': ['01890a5d-ac96-774b-bcce-b302099a8057'],
  '^[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+$': ['mason@example.org'],
  '^Bridge .{0,60}deck$': ['Bridge with a steel deck'],
  '^(?:Bridge|Dam|Tunnel|Harbour|Pier|Quay|Lock|Weir)(?: |$)': ['Bridge with a steel deck', 'Dam'],
  '^.{100,200}$': ['x'.repeat(150)],
}

const hostile: Readonly<Record<string, string>> = {
  'repetitions within repetitions': `(?:(?:${'a?'.repeat(20)}){31}){32}`,
  'optional parts': '(?:a?){255}',
  'ranges that overlap': Array.from(
    { length: 40 },
    (_, at) => `[${'abcdefghij'[at % 10]}-${String.fromCharCode(112 + (at % 10))}]*`,
  ).join(''),
  anchors: '(?:$|^)'.repeat(20),
}

onEachEngine('regular expressions', (world) => {
  beforeAll(async () => {
    await world.acme.seed([...new Set(Object.values(useful).flat())])
    await world.rival.seed(['AB12-345'])
  })

  for (const [pattern, found] of Object.entries(useful)) {
    test(`find what they should: ${pattern}`, async () => {
      const path = `/project?select=project_name&order=project_name&project_name=match.${encodeURIComponent(pattern)}`
      const { status, json } = await world.acme.get(path)
      expect([status, json]).toEqual([200, found.map((project_name) => ({ project_name }))])
    })
  }

  for (const [what, pattern] of Object.entries(hostile)) {
    for (const operator of ['match', 'imatch', 'not.match', 'match(any)']) {
      test(`with too many ${what} are refused by ${operator}, with the limit and a way out`, async () => {
        const value = operator === 'match(any)' ? `{"${pattern}"}` : pattern
        const { status, json } = await world.acme.get(`/project?project_name=${operator}.${encodeURIComponent(value)}`)
        expect([status, json.code]).toEqual([400, 'PGRST100'])
        expect(json.message).toMatch(/^More than \d+ (?:parts|steps|anchors) .* in one request$/)
        expect(json.hint).not.toBe('')
      })
    }
  }

  test('with wide ranges are refused only where case is ignored', async () => {
    const pattern = encodeURIComponent('^[!-\u{1ffff}]*$')
    expect((await world.acme.get(`/project?project_name=match.${pattern}`)).status).toBe(200)
    expect((await world.acme.get(`/project?project_name=imatch.${pattern}`)).status).toBe(400)
    expect((await world.acme.get(`/project?project_name=imatch.${encodeURIComponent('^[一-龥а-я]*$')}`)).status).toBe(
      200,
    )
  })

  test('in the filter of an embed count like all others', async () => {
    const pattern = 'x'.repeat(300)
    const path = `/project?select=id,bid(id)&project_name=match.${pattern}&bid.bid_name=match.${pattern}`
    expect((await world.acme.get(path)).json.message).toBe('More than 500 parts of regular expressions in one request')
  })
})

onEachEngine('a read with a key alone', (world) => {
  const withKeyAlone = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${world.base}/rest/v1${path}`, { headers: { apikey: world.acme.apiKey, ...headers } })

  test.each([
    '/project?select=nope',
    '/project?nope=eq.1',
    '/project?id=eq.not-a-uuid',
    '/project?order=nope',
    '/project?select=nope(id)&nope.id=eq.1',
    `/project?project_name=match.${hostile['repetitions within repetitions']}`,
    '/project?project_name=match.(',
    `/project?id=eq.${'x'.repeat(10_000)}`,
  ])('is [], as its names and values are not looked at: %s', async (path) => {
    const answer = await withKeyAlone(path)
    expect([answer.status, await answer.text()]).toEqual([200, '[]'])
  })

  test('is refused where its form is wrong, or where one object is wanted', async () => {
    const statusOf = async (path: string, headers = {}) => (await withKeyAlone(path, headers)).status
    expect(await statusOf('/project?select=id,,id')).toBe(400)
    expect(await statusOf('/project?id=nope.1')).toBe(400)
    expect(await statusOf(`/project?${Array.from({ length: 21 }, () => 'id=match.a').join('&')}`)).toBe(400)
    expect(await statusOf('/project', { Accept: 'application/vnd.pgrst.object+json' })).toBe(406)
    expect(await statusOf('/project', { Prefer: 'handling=strict' })).toBe(403)
  })

  test('is the same with the secret of another company', async () => {
    const answer = await withKeyAlone('/project?select=nope', { 'X-API-Secret': world.rival.apiSecret })
    expect([answer.status, await answer.text()]).toEqual([200, '[]'])
  })
})
