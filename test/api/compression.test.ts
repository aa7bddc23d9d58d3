import { beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { engines, onEachEngine } from '../support/engines.ts'
import { type Tenant, World } from '../support/world.ts'

type Fields = Readonly<Record<string, string>>

const decoders = { gzip: Bun.gunzipSync, zstd: Bun.zstdDecompressSync }
const codings = ['gzip', 'zstd'] as const

/** The bytes as they were sent: `decompress` is Bun's own, and keeps fetch from reading them. */
async function ask(base: string, path: string, headers: Fields, init: RequestInit = {}) {
  const response = await fetch(base + path, {
    ...init,
    headers: { 'Accept-Encoding': '', ...headers },
    decompress: false,
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const coding = response.headers.get('Content-Encoding')
  const decode = coding === 'gzip' || coding === 'zstd' ? decoders[coding] : (same: Uint8Array<ArrayBuffer>) => same
  const text = new TextDecoder().decode(bytes.length === 0 ? bytes : decode(bytes))
  return { status: response.status, headers: response.headers, coding, tag: response.headers.get('ETag'), bytes, text }
}

const namesFor = (count: number): string[] => Array.from({ length: count }, (_, at) => `Project ${at} Ä`)

async function seed(tenant: Tenant, count: number): Promise<void> {
  for (let at = 0; at < count; at += 5000) await tenant.seed(namesFor(Math.min(5000, count - at)))
}

onEachEngine('a long answer', (world) => {
  beforeAll(() => seed(world.acme, 3000), 300_000)

  const get = (query: string, headers: Fields = {}, tenant = world.acme) =>
    ask(world.base, `/rest/v1/project${query}`, { ...tenant.headers, ...headers })
  const page = '?limit=200'

  for (const coding of codings) {
    const wants = { 'Accept-Encoding': coding }

    test(`is sent as ${coding}, a page and a stream, in every shape, and is the same as without`, async () => {
      for (const [query, accept] of [
        [page, 'application/json'],
        ['', 'application/json'],
        ['', 'text/csv'],
        ['', 'application/x-ndjson'],
        [page, 'application/vnd.pgrst.array+json;nulls=stripped'],
        ['?limit=200&select=*,bid(*)', 'application/json'],
      ] as const) {
        const [plain, coded] = [await get(query, { Accept: accept }), await get(query, { ...wants, Accept: accept })]
        expect([plain.coding, coded.coding, coded.text === plain.text]).toEqual([null, coding, true])
        expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(coded.headers.get('Content-Type')).toBe(plain.headers.get('Content-Type'))
        for (const { headers } of [plain, coded]) expect(headers.get('Vary')).toContain('Accept-Encoding')
      }
    })

    test(`has an ETag of its own as ${coding}, by which it is asked for again`, async () => {
      const [plain, coded] = [await get(page), await get(page, wants)]
      expect(coded.tag).toBe(`${plain.tag?.slice(0, -1)}.${coding}"`)
      const tags = { 'If-None-Match': coded.tag ?? '' }
      const known = await get(page, { ...wants, ...tags })
      expect([known.status, known.tag, known.coding, known.text]).toEqual([304, coded.tag, null, ''])
      expect(known.headers.get('Vary')).toContain('Accept-Encoding')
      // What a client has in another coding is not what it asks for now.
      expect((await get(page, tags)).status).toBe(200)
      expect((await get(page, { ...wants, 'If-None-Match': plain.tag ?? '' })).status).toBe(200)
      const both = `${plain.tag}, W/${coded.tag}`
      for (const asked of [wants, {}]) expect((await get(page, { ...asked, 'If-None-Match': both })).status).toBe(304)
    })

    test(`is changed by If-Match with the ETag of ${coding}, once`, async () => {
      const some = '?project_name=like.Project%2029*'
      const { tag, coding: sent } = await get(some, wants)
      expect(sent).toBe(coding)
      const change = () => world.acme.patch(`/project${some}`, { bid_id: world.acme.bid }, { 'If-Match': tag ?? '' })
      expect([(await change()).status, (await change()).status]).toEqual([204, 412])
    })

    test(`to HEAD says what GET would, as ${coding}`, async () => {
      for (const query of [page, '']) {
        const [head, whole] = [
          await ask(world.base, `/rest/v1/project${query}`, { ...world.acme.headers, ...wants }, { method: 'HEAD' }),
          await get(query, wants),
        ]
        expect([head.status, head.coding, head.tag, head.bytes.length]).toEqual([200, coding, whole.tag, 0])
      }
    })
  }

  test('is sent as it is to those who want that more, or nothing that we have', async () => {
    for (const accepted of ['identity', 'br, deflate', 'gzip;q=0', 'identity, gzip;q=0.5', 'br, identity;q=0'])
      expect([accepted, (await get('', { 'Accept-Encoding': accepted })).coding]).toEqual([accepted, null])
  })

  test('is compressed from 16 KiB on, and a short one never', async () => {
    const wants = { 'Accept-Encoding': 'gzip, identity;q=0' }
    const sizes = await Promise.all(
      [1, 50, 200, 300].map((limit) => get(`?limit=${limit}&select=id,project_name`, wants)),
    )
    for (const { text, coding } of sizes) expect(coding).toBe(text.length > 16 * 1024 + 2 ? 'gzip' : null)
    expect(sizes.map(({ coding }) => coding)).toContain('gzip')
    expect((await get('?nope=eq.1', wants)).coding).toBeNull()
  })

  test('to a write is compressed too, and to its repeat in the coding of that', async () => {
    const body = JSON.stringify(namesFor(300).map((project_name) => ({ bid_id: world.acme.bid, project_name })))
    const headers = { ...world.acme.headers, 'Content-Type': 'application/json', 'Idempotency-Key': Bun.randomUUIDv7() }
    const post = (accepted: string) =>
      ask(world.base, '/rest/v1/project', { ...headers, 'Accept-Encoding': accepted }, { method: 'POST', body })
    const [first, second, third] = [await post('gzip'), await post('zstd'), await post('')]
    expect([first, second, third].map(({ status, coding }) => [status, coding])).toEqual([
      [201, 'gzip'],
      [201, 'zstd'],
      [201, null],
    ])
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect([second.text, third.text]).toEqual([first.text, first.text])
  })

  test('holds the rows of its own company alone', async () => {
    const wants = { 'Accept-Encoding': 'gzip' }
    const { text, coding } = await get('', wants, world.rival)
    expect([coding, JSON.parse(text).length]).toEqual([null, 1])
    expect((await get('', { ...wants, 'X-API-Secret': world.rival.apiSecret })).text).toBe('[]')
  })

  for (const coding of codings) {
    test(`has its first row in the first bytes as ${coding}, long before its end`, async () => {
      const { rows, bytes } = await firstRows(world, coding)
      expect(rows).toStartWith('[{"id":"')
      expect(rows).toContain('"project_name":"Acme\'s project"')
      expect(bytes).toBeLessThan(100_000)
    })
  }

  test('is given up quietly when its client goes, and nothing stays in use', async () => {
    const { headers } = world.acme
    for (let times = 0; times < 5; times += 1) {
      const stop = new AbortController()
      const accepted = { ...headers, 'Accept-Encoding': 'gzip' }
      const response = await fetch(`${world.base}/rest/v1/project`, { headers: accepted, signal: stop.signal })
      await response.body?.getReader().read()
      stop.abort()
    }
    for (let left = 600; world.bytes.load().held > 0 && left > 0; left -= 1) await Bun.sleep(100)
    expect(world.bytes.load().held).toBe(0)
  })
})

/** What a client can read once the first bytes of a long list are there: it reads no more of them before it has looked. */
function firstRows({ base, acme }: World, coding: 'gzip' | 'zstd'): Promise<{ rows: string; bytes: number }> {
  const { hostname, port } = new URL(base)
  const fields = Object.entries({ ...acme.headers, Host: 'test', 'Accept-Encoding': coding })
  const decoder = coding === 'gzip' ? createGunzip() : createZstdDecompress()
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /rest/v1/project HTTP/1.0\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    )
    let bytes = 0
    let head: Buffer | null = Buffer.alloc(0)
    decoder.on('error', reject)
    decoder.once('data', (rows: Buffer) => {
      socket.destroy()
      resolve({ rows: rows.toString(), bytes })
    })
    socket.on('error', reject)
    socket.on('data', (received: Buffer) => {
      bytes += received.length
      if (head === null) return void decoder.write(received)
      head = Buffer.concat([head, received])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      // Behind the head stands the length of the first chunk, unless the connection ends with the answer.
      const rest = head.subarray(end + 4)
      const isChunked = /transfer-encoding: chunked/i.test(head.subarray(0, end).toString())
      const start = isChunked ? rest.indexOf('\r\n') + 2 : 0
      if (isChunked && start < 2) return
      head = null
      decoder.write(rest.subarray(start))
    })
  })
}

describe('with COMPRESS=off', () => {
  test('nothing is compressed, and ETags are as for everybody', async () => {
    const world = new World({ COMPRESS: 'off' })
    const [sqlite] = engines
    if (sqlite) await world.open(sqlite)
    try {
      await seed(world.acme, 1500)
      for (const query of ['', '?limit=500']) {
        const headers = { ...world.acme.headers, 'Accept-Encoding': 'gzip, zstd' }
        const { coding, tag } = await ask(world.base, `/rest/v1/project${query}`, headers)
        expect([coding, tag?.endsWith('.array"') ?? true]).toEqual([null, true])
      }
    } finally {
      await world.close()
    }
  })
})
