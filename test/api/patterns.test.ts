import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'

/** Patterns that people write, and what they find. */
const useful: Readonly<Record<string, readonly string[]>> = {
  '^AB[0-9]{2,4}-\\d{3}$': ['AB12-345'],
  '^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$': ['01890a5d-ac96-774b-bcce-b302099a8057'],
  '^[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+$': ['mason@example.org'],
  '^Bridge .{0,60}deck$': ['Bridge with a steel deck'],
  '^(?:Bridge|Dam|Tunnel|Harbour|Pier|Quay|Lock|Weir)(?: |$)': [
    'Bridge with a steel deck',
    'Dam',
    'Pier 2.5 (a)',
    'Weir 7',
  ],
  '^.{100,200}$': ['x'.repeat(150)],
  '(?i)^bridge': ['Bridge with a steel deck'],
  '(?i)ÜBER': ['Über dem Fluß'],
  '(?c)^bridge': [],
  '(?x) ^ dam $ # no capital | [ ]': [],
  '(?ix) ^ d\\x61m $ # any | all': ['Dam'],
  '(?q)2.5 (a)': ['Pier 2.5 (a)'],
  '(?iq)PIER 2.5 (A': ['Pier 2.5 (a)'],
  '^Quay$': [],
  '(?n)^Quay$': ['Lock\nQuay'],
  '(?w)^Lock.Quay$': ['Lock\nQuay'],
  '(?p)Lock.Quay': [],
  '(?p)Lock[^x]Quay': [],
  '(?n)\\ALock$': ['Lock\nQuay'],
  '(?n)^Quay\\Z': ['Lock\nQuay'],
  '(?m)\\AQuay': [],
  '\\x57\\u0065ir': ['Weir 7'],
  '[\\x57\\x5d]ei\\U00000072': ['Weir 7'],
  'd(?#a letter)eck': ['Bridge with a steel deck'],
  '\\msteel\\M': ['Bridge with a steel deck'],
  '\\mstee\\M': [],
  '\\ysteel deck\\y': ['Bridge with a steel deck'],
  'e\\Yck': ['Bridge with a steel deck'],
  '\\m(?:a|\\d)\\M': ['Bridge with a steel deck', 'Pier 2.5 (a)', 'Weir 7'],
  '(?i)\\mQ\\w+\\M': ['Lock\nQuay'],
  '(?:\\m|x)a\\M.\\Z': ['Pier 2.5 (a)'],
  '\\m\\md\\Y': ['Bridge with a steel deck', 'Über dem Fluß'],
  '[A-Z][a-z]*\\M$': ['Dam', 'Lock\nQuay'],
  '^\\W?\\m.\\M': [],
}

/** What PostgreSQL knows and the service does not, and mistakes. */
const refused: Readonly<Record<string, string>> = {
  'a(?=b)': 'look-around such as (?=…) is not supported',
  'a(?!b)': 'look-around such as (?!…) is not supported',
  '(?<=a)b': 'look-around such as (?<=…) is not supported',
  '(?<!a)b': 'look-around such as (?<!…) is not supported',
  '(a)\\1': 'back-references such as \\1 are not supported',
  '\\bdeck': '\\b is not supported; write \\y for the start or the end of a word',
  '(?b)a': 'the option "b" is not supported. Options: i, c, n, m, p, w, s, x, t, q',
  '(?n)\\mdeck': '\\m together with the options n, m and w is not supported',
  '[[.a.]]': '[. and [= within brackets are not supported',
  'a(?i)b': 'quantifier operand invalid',
  '(?<name>a)': 'quantifier operand invalid',
  '\\m+a': 'quantifier operand invalid',
  '(?x)^ *a': 'quantifier operand invalid',
  '\\m(a': 'parentheses () not balanced',
  '\\ma)(b': 'parentheses () not balanced',
  '[\\m]': 'invalid escape \\ sequence "\\m"',
  '\\xD800': 'invalid escape \\ sequence "\\xD800"',
  '\\q': 'invalid escape \\ sequence "\\q"',
}

const hostile: Readonly<Record<string, string>> = {
  'repetitions within repetitions': `(?:(?:${'a?'.repeat(20)}){31}){32}`,
  'optional parts': '(?:a?){255}',
  'ranges that overlap': Array.from(
    { length: 40 },
    (_, at) => `[${'abcdefghij'[at % 10]}-${String.fromCharCode(112 + (at % 10))}]*`,
  ).join(''),
  anchors: '(?:$|^)'.repeat(20),
  'anchors of words': '\\y'.repeat(20),
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

  for (const [pattern, message] of Object.entries(refused)) {
    test(`are refused with the reason: ${pattern}`, async () => {
      const { status, json } = await world.acme.get(`/project?project_name=imatch.${encodeURIComponent(pattern)}`)
      expect([status, json.code, json.message]).toEqual([400, '2201B', `invalid regular expression: ${message}`])
    })
  }

  test('say for themselves whether case counts, whatever the operator', async () => {
    const found = async (query: string) =>
      (await world.acme.get(`/project?select=project_name&project_name=${encodeURIComponent(query)}`)).json
    expect(await found('imatch.(?c)^dam$')).toEqual([])
    expect(await found('imatch.(?ci)^dam$')).toEqual([{ project_name: 'Dam' }])
    expect(await found('match(any).{"(?i)^DAM$","(?ic)^weir"}')).toEqual([{ project_name: 'Dam' }])
  })

  for (const [what, pattern] of Object.entries(hostile)) {
    for (const operator of ['match', 'imatch', 'not.match', 'match(any)']) {
      test(`with too many ${what} are refused by ${operator}, with the limit and a way out`, async () => {
        const value = operator === 'match(any)' ? `{"${pattern.replaceAll('\\', '\\\\')}"}` : pattern
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
