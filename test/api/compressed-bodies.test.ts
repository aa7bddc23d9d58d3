import { expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync } from 'node:zlib'
import { onEachEngine } from '../support/engines.ts'

const bytesMax = 200_000

const encode = { gzip: Bun.gzipSync, zstd: Bun.zstdCompressSync } as const
const bytesOf = (text: string) => new TextEncoder().encode(text)

onEachEngine(
  'a compressed body',
  (world) => {
    const post = (body: Uint8Array, coding: string, headers: Record<string, string> = {}) =>
      world.acme.send(
        'POST',
        '/project',
        { 'Content-Type': 'application/json', 'Content-Encoding': coding, ...headers },
        body,
      )
    const rowsOf = (count: number, name: string) =>
      JSON.stringify(Array.from({ length: count }, () => ({ bid_id: world.acme.bid, project_name: name })))
    const countOf = async (name: string, tenant = world.acme) =>
      (await tenant.get(`/project?project_name=eq.${name}`)).json.length

    for (const coding of ['gzip', 'zstd'] as const) {
      test(`is taken as ${coding}: one row, many, and CSV`, async () => {
        const one = JSON.stringify({ bid_id: world.acme.bid, project_name: `${coding}-one` })
        const { status, json } = await post(encode[coding](bytesOf(one)), coding)
        expect([status, json.project_name]).toEqual([201, `${coding}-one`])
        const many = encode[coding](bytesOf(rowsOf(1000, `${coding}-many`)))
        expect((await post(many, coding.toUpperCase())).status).toBe(201)
        expect(await countOf(`${coding}-many`)).toBe(1000)
        const csv = encode[coding](bytesOf(`bid_id,project_name\n${world.acme.bid},${coding}-csv\n`))
        expect((await post(csv, coding, { 'Content-Type': 'text/csv' })).status).toBe(201)
        expect([await countOf(`${coding}-csv`), await countOf(`${coding}-csv`, world.rival)]).toEqual([1, 0])
      })

      test(`that is more than may be sent once ${coding} is undone is 413, and little of it is undone`, async () => {
        const before = await world.acme.get('/project?select=count()')
        const bomb = encode[coding](new Uint8Array(50_000_000))
        expect(bomb.byteLength).toBeLessThan(bytesMax)
        const { status, json } = await post(bomb, coding)
        expect([status, json.code]).toEqual([413, 'body_too_large'])
        expect((await world.acme.get('/project?select=count()')).text).toBe(before.text)
        expect(world.bytes.load().held).toBe(0)
      })

      test(`that is not ${coding}, or only its beginning, is 400 and writes nothing`, async () => {
        const whole = encode[coding](bytesOf(rowsOf(50, `${coding}-broken`)))
        const followed = Buffer.concat([whole, bytesOf('garbage')])
        const cut = [whole.slice(0, whole.length / 2), whole.slice(0, -1), whole.slice(5), followed]
        for (const body of [bytesOf(rowsOf(1, `${coding}-broken`)), ...cut]) {
          const { status, json } = await post(body, coding)
          expect([status, json.code]).toEqual([400, 'PGRST102'])
          expect(json.hint).toBeString()
        }
        expect(await countOf(`${coding}-broken`)).toBe(0)
      })
    }

    test('that is cut off as zstd is 400, wherever it is cut', async () => {
      const csv = bytesOf(`bid_id,project_name\n${`${world.acme.bid},zstd-cut\n`.repeat(3000)}`)
      const whole = Bun.zstdCompressSync(Buffer.concat([csv, crypto.getRandomValues(new Uint8Array(1000))]))
      for (let end = whole.length - 1; end > whole.length - 1100; end -= 50)
        expect((await post(whole.slice(0, end), 'zstd', { 'Content-Type': 'text/csv' })).status).toBe(400)
      expect(await countOf('zstd-cut')).toBe(0)
    })

    test('repeats a request that was sent without, by the same Idempotency-Key', async () => {
      const text = JSON.stringify({ bid_id: world.acme.bid, project_name: 'repeated' })
      const once = { 'Idempotency-Key': Bun.randomUUIDv7() }
      const first = await post(bytesOf(text), 'identity', once)
      const second = await post(Bun.gzipSync(bytesOf(text)), 'x-gzip', once)
      expect([first.status, second.status, second.text === first.text]).toEqual([201, 201, true])
      expect([second.headers.get('Idempotent-Replayed'), await countOf('repeated')]).toEqual(['true', 1])
    })

    test.each([
      ['br', brotliCompressSync('{}')],
      ['deflate', deflateSync('{}')],
      ['gzip, gzip', Bun.gzipSync(Bun.gzipSync('{}'))],
      ['nonsense', bytesOf('{}')],
    ])('in another coding (%s) is 415, with what is taken', async (coding, body) => {
      const { status, json, headers } = await post(body, coding)
      expect([status, json.code, headers.get('Accept-Encoding')]).toEqual([415, 'unsupported_media_type', 'zstd, gzip'])
      expect(json.message).toBe(`Content-Encoding not acceptable: ${coding}`)
      expect(json.hint).toContain('zstd, gzip')
    })

    test('is not asked for by who may not write', async () => {
      const reader = await world.acme.withCredential('read')
      const sent = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
      expect((await reader.send('POST', '/project', sent, Bun.gzipSync('{}'))).status).toBe(403)
    })
  },
  { MAX_BODY_BYTES: String(bytesMax) },
)
