import { expect, test } from 'bun:test'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { allow } from '../../src/methods.ts'
import { isWritable } from '../../src/resources/define.ts'
import { project } from '../../src/resources/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { growthOf } from '../support/growth.ts'
import { type Reply, replyOf, type World } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>
/** Status and code, method and path, headers and body. `$bid` and `$id` stand for a bid and a project of the company. */
type Row = readonly [expected: string, target: string, body?: string | Uint8Array | undefined, headers?: Fields]

const bytesMax = 100_000
const json = { 'Content-Type': 'application/json' }
const csv = { 'Content-Type': 'text/csv' }
const merge = { ...json, Prefer: 'resolution=merge-duplicates' }
const prototype = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
const good = '{"bid_id":"$bid","project_name":"x"}'
const whole = '{"id":"$id","bid_id":"$bid","project_name":"x"}'
const named = (name: string) => `{"bid_id":"$bid","project_name":${name}}`

const notRows = (body: string | Uint8Array): Row => ['400 PGRST102', 'POST /project', body]
const untold = (query: string): Row => ['400 PGRST100', `GET /project?${query}`]

const bodies: readonly Row[] = [
  ...['', ' ', '{', '{"bid_id"', good.slice(0, -1), `${good}x`, `\ufeff,${good}`].map(notRows),
  ...["{'a':1}", '{"a":NaN}', 'bid_id=1', '\u0000', 'null', 'true', '1', '1e999', '"text"'].map(notRows),
  ...['[1]', '["a"]', '[null]', '[[]]', `[${good},1]`, `[${good},{"bid_id":"$bid"}]`].map(notRows),
  ...['['.repeat(bytesMax), '{"a":'.repeat(bytesMax / 5)].map((body): Row => ['400 PGRST100', 'POST /project', body]),
  ...[new Uint8Array([0x22, 0xff, 0x22]), new TextEncoder().encode(good).with(20, 0xc3)].map(notRows),
  ['400 PGRST100', 'POST /project', named(`${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`)],
  ['400 22P05', 'POST /project', named('"a\\u0000b"')],
  ['400 22P05', 'POST /project', named('"\\ud800"')],
  ['400 22P05', 'POST /project', named('"\\udc00\\ud800"')],
  ['400 22P05', 'PATCH /project?id=eq.$id', '{"project_name":"a\\u0000b"}'],
  ['400 23514', 'POST /project', named('""')],
  ['400 23514', 'POST /project', named('" \\t\\n"')],
  ['400 23514', 'POST /project', named(`"${'x'.repeat(256)}"`)],
  ['400 PGRST204', 'POST /project', '{"bid_id":"$bid","project_name":"x","colour":"red"}'],
  ['400 PGRST204', 'POST /project', '{"bid_id":"$bid","project_name":"x","company_id":"$bid"}'],
  ['400 PGRST204', 'PATCH /project?id=eq.$id', '{"company_id":"$bid"}'],
  ['400 PGRST204', 'POST /project?columns=colour', '{"colour":"red"}'],
  ...['created_at', 'updated_at'].flatMap((field): Row[] => [
    ['400 428C9', 'POST /project', `{"bid_id":"$bid","project_name":"x","${field}":"2026-01-01T00:00:00Z"}`],
    ['400 428C9', 'PATCH /project?id=eq.$id', `{"${field}":"2026-01-01T00:00:00Z"}`],
    ['400 428C9', `POST /project?columns=bid_id,project_name,${field}`, good],
  ]),
  ...prototype.flatMap((field): Row[] => [
    ['400 PGRST204', 'POST /project', `{"bid_id":"$bid","project_name":"x","${field}":{"id":1}}`],
    ['400 PGRST204', 'PATCH /project?id=eq.$id', `{"${field}":{"project_name":"x"}}`],
    ['400 PGRST204', `POST /project?columns=${field}`, good],
    ['400 PGRST204', 'POST /project', `bid_id,project_name,${field}\n$bid,x,y`, csv],
    ['415 unsupported_media_type', 'POST /project', good, { 'Content-Type': field }],
  ]),
  ['400 PGRST102', 'POST /project', 'bid_id,project_name\n$bid', csv],
  ['400 PGRST102', 'POST /project', 'bid_id,project_name\n$bid,"x', csv],
  ['400 PGRST102', 'POST /project', '', csv],
  ['400 PGRST204', 'POST /project', 'colour=red', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['400 PGRST102', 'POST /project', ' {"project_name":"x"}', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['400 any', 'POST /project', 'project_name=%ff', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ...['text/plain', 'application/xml', 'multipart/form-data', 'application/jsonp', 'json', ';'].map(
    (type): Row => ['415 unsupported_media_type', 'POST /project', good, { 'Content-Type': type }],
  ),
  ['400 42P10', 'POST /project?on_conflict=project_name', good, merge],
  ['400 42P10', 'POST /project?on_conflict=constructor', good, merge],
  ['400 21000', 'POST /project', `[${whole},${whole}]`, merge],
  ['409 23505', 'POST /project', whole],
  ['400 21000', 'PATCH /project', '{"project_name":"x"}'],
  ['400 21000', 'DELETE /project'],
  ['400 any', 'PATCH /project?id=eq.$id', '[]x'],
  ['405 PGRST105', 'PUT /project', whole],
  ['405 PGRST105', 'PUT /project?id=gt.$id', whole],
  ['400 PGRST114', 'PUT /project?id=eq.$id&limit=1', whole],
  ['400 PGRST115', 'PUT /project?id=eq.$id', '{"id":"$bid","bid_id":"$bid","project_name":"x"}'],
  ['400 PGRST115', 'PUT /project?id=eq.$id', good],
]

/** Each field with each JSON value that it cannot hold. */
const wrongTypes: readonly Row[] = [...project.columns.values()].filter(isWritable).flatMap(({ name, type }) =>
  // A text takes any JSON value.
  ['null', ...(type === 'uuid' ? ['true', '7', '-1.5', '{}', '[]', '["x"]', '""', '"x"', '"01890a5d"'] : [])].flatMap(
    (value): Row[] => {
      const expected = value === 'null' ? '400 23502' : '400 22P02'
      const fields = Object.entries({ bid_id: '"$bid"', project_name: '"x"', [name]: value })
      return [
        [expected, 'POST /project', `{${fields.map(([field, sent]) => `"${field}":${sent}`)}}`],
        [expected, 'PATCH /project?id=eq.$id', `{"${name}":${value}}`],
      ]
    },
  ),
)

const undecodable = 'select=% select=%zz id=eq.%ff %c3=eq.1 order=%e2%82 project_name=eq.%ed%a0%80'
const unparsable =
  'select=( select=id, select=, select=bid( select=bid) order=id.up order=, id=1 id=eq id=is.maybe id=in.1 and=() ' +
  `or=id.eq.1 not.or=(id) .=eq.1 id->x=eq.1 and=${'(and'.repeat(40)}`

const queries: readonly Row[] = [
  ...[undecodable, unparsable].flatMap((list) => list.split(' ').map(untold)),
  ...prototype.flatMap((name): Row[] => [
    ['400 42703', `GET /project?select=${name}`],
    ['400 42703', `GET /project?${name}=eq.1`],
    ['400 42703', `GET /project?order=${name}`],
    ['400 42703', `GET /project?or=(${name}.eq.1)`],
    ['400 42703', `DELETE /project?${name}=eq.1`],
    ['400 PGRST200', `GET /project?select=${name}(*)`],
    ['400 PGRST200', `GET /project?select=bid!${name}(*)`],
    ['400 PGRST108', `GET /project?${name}.id=eq.1`],
    ['400 42704', `GET /project?select=id::${name}`],
    ['400 PGRST100', `GET /project?id=${name}.1`],
    ['400 PGRST100', `GET /project?select=id.${name}()`],
    ['404 PGRST205', `GET /${name}`],
    ['406 PGRST107', 'GET /project', undefined, { Accept: name }],
    ['400 PGRST122', 'GET /project', undefined, { Prefer: `handling=strict, ${name}=1` }],
  ]),
  ...['company_id', 'Id', 'project.id'].map(
    (column): Row => [column.includes('.') ? '400 PGRST108' : '400 42703', `GET /project?${column}=eq.$bid`],
  ),
  ['400 22P02', 'GET /project?id=eq.7'],
  ['400 22P02', 'GET /project?id=in.($id,x)'],
  ['400 22007', 'GET /project?created_at=gt.yesterdayish'],
  ['400 42883', 'GET /project?id=like.x*'],
  ['400 2201B', 'GET /project?project_name=match.('],
  ['400 22025', 'GET /project?project_name=like.x%5C'],
  ...['eq.%00', 'like.%00*', 'match.%00', 'in.(a,%00)', 'fts.%00', 'eq(any).{%00}', 'neq.a%00b'].map(
    (operand): Row => ['400 any', `GET /project?project_name=${operand}`],
  ),
  ...['"a%00b":id', 'id::"x"', '"a%00b"', '"a%00b":bid(*)'].map(
    (select): Row => ['400 any', `GET /project?select=${select}`],
  ),
  ['416 PGRST103', 'GET /project?limit=-1'],
  ['416 PGRST103', 'GET /project', undefined, { Range: '5-2' }],
  ['416 PGRST103', 'GET /project?offset=999', undefined, { Prefer: 'count=exact' }],
  ...['image/png', 'text/html', 'application/json;q=0', 'x', 'application/openapi+json'].map(
    (Accept): Row => ['406 PGRST107', 'GET /project', undefined, { Accept }],
  ),
  ['406 PGRST106', 'GET /project', undefined, { 'Accept-Profile': 'private' }],
  ['406 PGRST106', 'POST /project', good, { ...json, 'Content-Profile': '__proto__' }],
  ...['return=everything', 'count=none', 'max-affected=many', 'x', 'resolution'].map(
    (preference): Row => ['400 PGRST122', 'GET /project', undefined, { Prefer: `handling=strict, ${preference}` }],
  ),
  ...['/projects', '/Project', '/project%00', '/%ZZ', '/credential', '/company', '/sqlite_master', '/pg_class'].map(
    (path): Row => ['404 PGRST205', `GET ${path}`],
  ),
  ...['/project/', '/project/$id', '//project', '/project/..%2fbid'].map(
    (path): Row => ['404 PGRST125', `GET ${path}`],
  ),
  ['404 PGRST125', 'GET /../v2/project'],
  // For people, these are pages.
  ...['/../../health', '/../../wp-login.php'].map(
    (path): Row => ['404 PGRST125', `GET ${path}`, undefined, { Accept: 'application/json' }],
  ),
]

/** Everything that there is, so that any change shows. */
const everything = async ({ acme }: World): Promise<string> => (await acme.get('/bid?select=*,project(*)')).text

function expectRefusal({ status, headers, text, json: body }: Reply, expected: string): void {
  const [wantedStatus, code] = expected.split(' ')
  expect(`${status} ${code === 'any' ? 'any' : body?.code}`).toBe(`${wantedStatus} ${code}`)
  expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(Object.keys(body)).toEqual(['code', 'message', 'details', 'hint'])
  expect(body.message).toBeString()
  for (const member of [body.details, body.hint]) if (member !== null) expect(member).toBeString()
  expect(text.length).toBeLessThan(2000)
}

onEachEngine(
  'what is malformed',
  (world) => {
    const fill = (text: string) => text.replaceAll('$bid', world.acme.bid).replaceAll('$id', world.acme.project)

    for (const [expected, target, body, headers] of [...bodies, ...wrongTypes, ...queries]) {
      const sent = typeof body === 'string' ? body.slice(0, 80) : (body?.toHex() ?? '')
      test(`${target} ${JSON.stringify(sent)} ${Object.values(headers ?? {})} → ${expected}`, async () => {
        const before = await everything(world)
        const [method = '', path = ''] = fill(target).split(/ (.*)/)
        const filled = typeof body === 'string' ? fill(body) : body
        expectRefusal(
          await world.acme.send(method, path, headers ?? (body === undefined ? {} : json), filled),
          expected,
        )
        expect(await everything(world)).toBe(before)
      })
    }

    test('what the dialect says to ignore is ignored: an unknown Prefer, a Range or a limit that is none', async () => {
      const ignored: readonly [string, Fields][] = [
        ['/project', { Prefer: 'return=everything, __proto__=x, ,=' }],
        ['/project', { Range: 'items=0-1' }],
        ['/project', { Range: '99999999999999999999-' }],
        ['/project?limit=many&offset=-3', {}],
      ]
      for (const [path, headers] of ignored) {
        const { status, json: rows } = await world.acme.get(path, headers)
        expect([path, status, rows.length]).toEqual([path, 200, 1])
      }
    })

    test('a value nested as deep as a body can be is refused, in time that grows with its depth alone', async () => {
      const send = async (depth: number) => {
        const deep = named('['.repeat(depth) + ']'.repeat(depth))
        expectRefusal(await world.acme.send('POST', '/project', json, fill(deep)), '400 PGRST100')
      }
      expect(await growthOf(12_475, send)).toBeLessThan(8)
    }, 300_000)

    test('a field that is named twice in columns counts once', async () => {
      const path = fill('/project?id=eq.$id&columns=project_name,project_name')
      expect((await world.acme.patch(path, { project_name: 'Once' })).status).toBe(204)
      expect((await world.acme.get(fill('/project?id=eq.$id'))).json).toMatchObject([{ project_name: 'Once' }])
    })

    for (const method of METHODS.filter((name) => !allow.includes(name))) {
      test(`the method ${method} → 405 with Allow`, async () => {
        const { head, body } = await sendRaw(world, method)
        expect(head).toStartWith('HTTP/1.1 405 ')
        expect(head).toMatch(/^allow: .*GET.*POST.*DELETE/im)
        expect(head).toMatch(/^x-request-id: /im)
        expect(head).toMatch(/^content-type: application\/json; ?charset=utf-8/im)
        expect(JSON.parse(body)).toMatchObject({ code: 'PGRST117' })
      })
    }

    const large = named(`"${'x'.repeat(3 * bytesMax)}"`)
    for (const method of ['POST', 'PATCH', 'PUT']) {
      test(`${method} with a body over MAX_BODY_BYTES, its length told → 413`, async () => {
        const before = await everything(world)
        expectRefusal(
          await world.acme.send(method, fill('/project?id=eq.$id'), json, fill(large)),
          '413 body_too_large',
        )
        expect(await everything(world)).toBe(before)
      })

      test(`${method} with a body over MAX_BODY_BYTES, in chunks → 413`, async () => {
        const before = await everything(world)
        const body = new Blob([fill(large)]).stream()
        const init = { method, headers: { ...world.acme.headers, ...json }, body }
        const response = await fetch(`${world.base}/rest/v1${fill('/project?id=eq.$id')}`, init)
        expectRefusal(await replyOf(response), '413 body_too_large')
        expect(await everything(world)).toBe(before)
      })
    }

    test('a body of just MAX_BODY_BYTES is taken', async () => {
      const body = fill(named('"Just fits"')).padEnd(bytesMax)
      expect((await world.acme.send('POST', '/project', json, body)).status).toBe(201)
      expect((await world.acme.send('POST', '/project', json, `${body} `)).status).toBe(413)
    })

    test('none of all this was a bug of ours', () => {
      expect(world.logged.join('').match(/.*"status":5\d\d.*/g) ?? []).toEqual([])
    })
  },
  { MAX_BODY_BYTES: String(bytesMax) },
)

/** `fetch` knows only some methods; a socket takes any. */
function sendRaw({ base, acme }: World, method: string): Promise<{ head: string; body: string }> {
  const { hostname, port, host } = new URL(base)
  const fields = Object.entries({ Host: host, ...acme.headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write([`${method} /rest/v1/project HTTP/1.1`, ...fields, '', ''].join('\r\n')),
    )
    socket.on('data', (part) => {
      answer += part.toString('latin1')
    })
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      resolve({ head, body })
    })
  })
}
