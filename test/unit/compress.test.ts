import { expect, test } from 'bun:test'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { codings } from '../../src/coding/choose-coding.ts'
import { createCompress } from '../../src/coding/create-compress.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'
import { type Source, streamParts, streamWhole } from '../../src/traffic/paced-stream.ts'

const decompressors = { gzip: createGunzip, zstd: createZstdDecompress }
const compress = createCompress()
const megabyte = 1024 * 1024
const budget = () => createByteBudget(64 * megabyte)

/** Texts that come when they are asked for, and how often that was. */
function sourceOf(texts: readonly string[]) {
  const told = { asked: 0, ended: [] as unknown[] }
  const source: Source = {
    next: async () => texts[told.asked++] ?? null,
    ended: (error) => told.ended.push(error),
  }
  return { source, told }
}

/** What a client can read of some bytes, before it has all of them. */
async function readable(coding: keyof typeof decompressors, bytes: readonly Uint8Array[]): Promise<string> {
  const decompressor = decompressors[coding]()
  let text = ''
  decompressor.on('data', (part: Buffer) => {
    text += part.toString()
  })
  decompressor.on('error', () => {})
  await new Promise<void>((resolve) => decompressor.write(Buffer.concat(bytes), () => resolve()))
  return text
}

for (const coding of codings) {
  test(`${coding}: a client can read each part as soon as it is sent, and all of it at the end`, async () => {
    const parts = ['[{"id":1}', `,\n{"name":"${'Ä'.repeat(70_000)}"}`, ',\n{"id":3}]']
    const { source, told } = sourceOf(parts)
    const reader = (await streamParts(source, budget().hold('a'), compress(coding, 'a'))).getReader()
    const received: Uint8Array[] = []
    const take = async () => {
      const { done, value } = await reader.read()
      if (value) received.push(value)
      return done
    }
    await take()
    expect([await readable(coding, received), told.asked]).toEqual([parts[0] ?? '', 1])
    while (!(await take()));
    expect(await readable(coding, received)).toBe(parts.join(''))
    expect(received.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(2000)
    expect(told.ended).toEqual([undefined])
  })

  test(`${coding}: the memory of the compressor is held with that of the answer, and given back`, async () => {
    const held = budget()
    const hold = held.hold('a')
    const encoder = compress(coding, 'a')
    const { source } = sourceOf(['x'.repeat(1000), 'y'.repeat(1000)])
    const reader = (await streamParts(source, hold, encoder)).getReader()
    await reader.read()
    expect(held.load().held).toBe(encoder.bytes + 2 * 1000)
    await reader.cancel()
    expect(held.load().held).toBe(0)
  })

  test(`${coding}: a client that goes while a chunk is compressed ends it quietly`, async () => {
    const { source, told } = sourceOf(Array.from({ length: 100 }, () => 'z'.repeat(megabyte)))
    const reader = (await streamParts(source, budget().hold('a'), compress(coding, 'a'))).getReader()
    const pending = reader.read()
    await Bun.sleep(0)
    await reader.cancel()
    expect((await pending).done).toBe(true)
    expect(told.ended).toEqual([undefined])
  })
}

test('whole answers of many companies at once come whole', async () => {
  const text = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `Project ${id}` })))
  const answers = Array.from({ length: 24 }, (_, at) => {
    const stream = streamWhole(text, budget().hold('a'), compress('gzip', `company ${at % 3}`))
    return new Response(stream).arrayBuffer()
  })
  for (const bytes of await Promise.all(answers)) expect(Buffer.from(Bun.gunzipSync(bytes)).toString()).toBe(text)
})

test('the thread that serves goes on meanwhile', async () => {
  // So that there is something to be done, whatever the machine: bytes that cannot be compressed.
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)).buffer).toString('latin1')
  const { source } = sourceOf(Array.from({ length: 40 }, () => noise))
  const stream = await streamParts(source, budget().hold('a'), compress('gzip', 'a'))
  let turns = 0
  let isRunning = true
  const count = () => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  let chunks = 0
  for await (const chunk of stream) if (chunk.byteLength > 0) chunks += 1
  isRunning = false
  // More than one turn for each chunk: it did not wait for the compressor.
  expect(turns).toBeGreaterThan(chunks * 2)
})

test('one company waits for few of the chunks of another', async () => {
  const chunk = crypto.getRandomValues(new Uint8Array(65_536))
  const ended: string[] = []
  const run = async (who: string): Promise<void> => {
    const encoder = compress('gzip', who)
    await encoder.encode(chunk)
    encoder.close()
    ended.push(who)
  }
  const flood = Array.from({ length: 50 }, () => run('loud'))
  await Promise.all([...flood, run('quiet')])
  expect(ended).toHaveLength(51)
  expect(ended.indexOf('quiet')).toBeLessThan(25)
})
