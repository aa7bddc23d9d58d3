import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { inTime } from '../support/world.ts'

const times = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at))

const paths = ['bid', 'bid.project', 'bid.project.bid', 'bid.project.bid.project']

/** Three at every level, under names of their own. */
const innerEmbeds = (levels: number): string =>
  levels === 0
    ? 'id'
    : times(3, (at) => `e${at}:${levels % 2 === 0 ? 'bid' : 'project'}!inner(${innerEmbeds(levels - 1)})`).join(',')

/** Requests that would keep an engine busy for long, or that one of them refuses, by what is too much of them. */
const requests: Readonly<Record<string, string>> = {
  conditions: `/project?${times(2000, (at) => `project_name=neq.${at}`).join('&')}`,
  'conditions in a tree': `/project?or=(${times(3000, (at) => `project_name.eq.${at}`).join(',')})`,
  'null filters': `/project?select=bid(id)&${times(450, () => 'bid.bid_name=eq.a&bid=not.is.null').join('&')}`,
  'order terms': `/project?order=${times(3000, () => 'id').join(',')}`,
  'selected fields': `/project?select=${times(600, (at) => `a${at}:id`).join(',')}`,
  // Each of these stands in the statement as often as all those above it are asked about, taken times each other.
  'null filters at every level': `/project?select=id,bid(id,project(id,bid(id,project(id))))&${paths
    .flatMap((path) => times(3, () => `${path}=not.is.null`))
    .join('&')}`,
  'inner embeds at every level': `/project?select=${innerEmbeds(4)}`,
  'filters of what is ordered by': `/project?select=id,bid(id)&order=bid(id),bid(bid_name),bid(created_at)&${times(300, () => 'bid.bid_name=gt.').join('&')}`,
  embeds: `/project?select=id,${'bid!inner(project!inner('.repeat(15)}id${'))'.repeat(15)}`,
  parameters: `/project?${'&'.repeat(100_000)}`,
  'values in a list': `/project?project_name=in.(${times(20_000, String).join(',')})`,
  'values to compare with one by one': `/project?project_name=gt(any).{${times(600, String).join(',')}}`,
  'columns to write': `/project?columns=${times(200, (at) => `a${at}`).join(',')}`,
  'names in a path': `/project?${'bid.'.repeat(20_000)}id=eq.1`,
  'a pattern': `/project?project_name=match.${'a{255}'.repeat(3000)}`,
  'brackets in a pattern': `/project?project_name=match.${'%5C['.repeat(30_000)}`,
  'text to compare with': `/project?project_name=ilike.${'x'.repeat(60_000)}`,
  'letters of a word': `/project?project_name=fts.${'x'.repeat(3000)}`,
  'an empty name': '/project?select=%22%22:id',
}

const named = (fields: string): string => `{"bid_name":"Too much",${fields}}`

/** Bodies that would take seconds to read, by what is too much of them: their type, and themselves. */
const bodies: Readonly<Record<string, readonly [string, string]>> = {
  'fields of a form': ['application/x-www-form-urlencoded', times(500_000, (at) => `a${at}=1`).join('&')],
  'nothing in a form': ['application/x-www-form-urlencoded', '&'.repeat(5_000_000)],
  'columns of a table': ['text/csv', `${times(500_000, (at) => `a${at}`).join(',')}\n`],
  'fields of a line': ['text/csv', `bid_name\n${','.repeat(5_000_000)}`],
  'lines of a table': ['text/csv', `bid_name\n${'x\n'.repeat(10_001)}`],
  'empty lines': ['text/csv', '\n'.repeat(5_000_000)],
  'rows of JSON': ['application/json', `[${times(10_001, () => '{}').join(',')}]`],
  'rows of a long JSON': [
    'application/json',
    `[${times(10_001, (at) => `{"bid_name":"${'x'.repeat(60)}${at}"}`).join(',')}]`,
  ],
  'empty rows': ['application/json', `[${'{},'.repeat(3_000_000)}{}]`],
  numbers: ['application/json', `[${'1,'.repeat(5_000_000)}1]`],
  'characters of a row': ['application/json', `[{"bid_name":"${'x'.repeat(300_000)}"}]`],
  'characters of an object': ['application/json', `{"bid_name":"${'x'.repeat(300_000)}"}`],
  'quotes in a row': ['application/json', `[{"bid_name":"${'\\\\"'.repeat(3_000_000)}"}]`],
  'characters of a line': ['text/csv', `bid_name\n"${'""'.repeat(200_000)}"\n`],
  'characters of a form': ['application/x-www-form-urlencoded', `bid_name=${'x'.repeat(300_000)}`],
  'fields of a row': ['application/json', named(times(100, (at) => `"a${at}":0`).join(','))],
  'fields of the same name': [
    'application/json',
    `[${times(40, () => named(times(30_000, () => '"":0').join(','))).join(',')}]`,
  ],
  'values in lists': ['application/json', `[${times(40, () => named(`"a":[${'{},'.repeat(60_000)}{}]`)).join(',')}]`],
  'values in many short lists': [
    'application/json',
    `[${times(3000, () => named(`"a":[${'[],'.repeat(300)}0]`)).join(',')}]`,
  ],
  'levels of a short body': ['application/json', named(`"a":${'['.repeat(32)}${']'.repeat(32)}`)],
  levels: ['application/json', `[{"bid_name":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`],
}

onEachEngine('too much', (world) => {
  for (const [what, [type, body]] of Object.entries(bodies)) {
    test(`of ${what} is refused`, async () => {
      const { status, json } = await world.acme.send('POST', '/bid', { 'Content-Type': type }, body)
      expect([status, json.code]).toEqual([400, 'PGRST100'])
      expect(json.message).toMatch(
        /^More than (?:32|100|10000|262144|1000000) (?:fields|fields in one row|columns|rows|characters in one row|levels of lists and objects|values in lists and objects) in one request$/,
      )
    })
  }

  test('of fields, levels and values is not what a field that "columns" leaves out may have', async () => {
    const fields = times(98, (at) => `"a${at}":0`).join(',')
    // The list of rows and the row are levels, too.
    const row = named(`${fields},"x":${'['.repeat(30)}${times(5000, String).join(',')}${']'.repeat(30)}`)
    const { status } = await world.acme.send(
      'POST',
      '/bid?columns=bid_name',
      { 'Content-Type': 'application/json' },
      `[${row},${row}]`,
    )
    expect(status).toBe(201)
    expect((await world.acme.get('/bid?bid_name=eq.Too%20much&select=bid_name')).json).toHaveLength(2)
    expect((await world.rival.get('/bid?bid_name=eq.Too%20much')).json).toEqual([])
  })

  test('of rows is not what fits into one write: 10,000 of them are made', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ bid_name: `Bid ${at} ${'"\\\\é'.repeat(10)}` }))
    const shown = { Prefer: 'return=representation' }
    const made = await inTime(() => world.acme.post('/bid?select=bid_name', rows, shown))
    expect([made.status, made.json.length]).toEqual([201, 10_000])
    expect(made.json).toEqual(rows)
    expect((await world.rival.get('/bid?bid_name=like.Bid*')).json).toEqual([])
  }, 300_000)

  test.each([
    '[{"bid_name":"a"}',
    '{"bid_name":"a"}]',
    '[,{"bid_name":"a"}]',
    '[{"bid_name":"a"},]',
    '[{"bid_name":"a"]]',
  ])('of blanks does not make %s JSON', async (text) => {
    const blanks = ' '.repeat(140_000)
    for (const body of [text, text.replaceAll(',', `${blanks},${blanks}`), `${blanks}${text}${blanks}${blanks}`]) {
      const { status, json } = await world.acme.send('POST', '/bid', { 'Content-Type': 'application/json' }, body)
      expect([status, ['PGRST102', 'PGRST100'].includes(json.code)]).toEqual([400, true])
    }
  })

  test('of quotes in one field of a table is not', async () => {
    const name = '"'.repeat(200)
    const body = `bid_name\n"${name.replaceAll('"', '""')}"\n`
    const { status, json } = await world.acme.send('POST', '/bid', { 'Content-Type': 'text/csv' }, body)
    expect([status, json[0].bid_name]).toEqual([201, name])
  })

  for (const [what, path] of Object.entries(requests)) {
    test(`of ${what} is refused before it is tried`, async () => {
      const startedAt = performance.now()
      const { status, json } = await world.acme.get(path)
      expect([status, typeof json.message]).toEqual([400, 'string'])
      // Some of these would take minutes.
      expect(performance.now() - startedAt).toBeLessThan(20_000)
    })
  }

  test('a thousand ids in a list are not', async () => {
    const ids = times(1000, () => Bun.randomUUIDv7()).join(',')
    expect((await world.acme.get(`/project?id=in.(${ids})`)).status).toBe(200)
    expect((await world.acme.get(`/project?project_name=eq(any).{${times(5000, String).join(',')}}`)).status).toBe(200)
  })

  test('years beyond all calendars are only far away', async () => {
    expect((await world.acme.get('/project?created_at=gt.999999-01-01')).json).toEqual([])
    const path = '/project?select=created_at.max()::date'
    const { json } = await world.acme.get(path, { Prefer: 'timezone=Europe/Berlin' })
    expect(json[0].max).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  test('a path is the same without a Host', async () => {
    const { port } = new URL(world.base)
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      void Bun.connect({
        hostname: '127.0.0.1',
        port: Number(port),
        socket: {
          open: (socket) => void socket.write('GET /health/live HTTP/1.0\r\n\r\n'),
          data: (_, bytes) => {
            text += bytes.toString()
          },
          close: () => resolve(text),
        },
      })
    })
    expect(answer).toStartWith('HTTP/1.1 200')
  })

  test('is not what anybody would ask for in earnest', async () => {
    const { bid, project } = world.rival
    for (const path of [
      '/project?select=id,bid!inner(id,project!inner(id,bid!inner(id,project!inner(id))))',
      `/project?select=*,...bid(bid_name,started:created_at)&bid_id=eq.${bid}&order=bid(bid_name),bid(bid_name),project_name`,
      `/project?select=id,bid(*)&bid=not.is.null&bid.id=eq.${bid}&or=(id.eq.${project},id.is.null)`,
      `/project?${times(490, () => `id=eq.${project}`).join('&')}`,
    ]) {
      const { status, json } = await world.rival.get(path)
      expect([path, status, json.length, json.message]).toEqual([path, 200, 1, undefined])
    }
  })
})

onEachEngine(
  'too much',
  (world) => {
    test('of embeds within embeds ends by itself, and others are served meanwhile and afterwards', async () => {
      await world.acme.seed(times(300, (at) => `Project ${at}`))
      const deep = 'bid!inner(project!inner(bid!inner(project!inner(id))))'
      const path = `/project?select=id,${deep}&bid.project.bid.project.project_name=eq.nope`
      const slow = await world.acme.get(path)
      expect([200, 504]).toContain(slow.status)
      expect((await inTime(() => world.rival.get('/project?limit=1'))).status).toBe(200)
    })
  },
  { STATEMENT_TIMEOUT_MS: '3000' },
)
