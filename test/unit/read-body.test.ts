import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { readBody } from '../../src/request/read-body.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'

const limits = { bodyBytesMax: 1_000_000, idleTimeoutS: 60 }
const size = (bytes: Uint8Array) => bytes.byteLength
const endless = () => new ReadableStream({ pull: () => new Promise(() => {}) })
const post = (body: ReadableStream | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  new Request('http://test/', { method: 'POST', body, headers })

test('the time for a body counts from its headers, wherever it waited since', async () => {
  for (const headers of [{ 'Content-Length': '200' }, {}]) {
    const sender = { arrivedAt: performance.now() - 3_600_000, hold: null }
    const late = readBody(post(endless(), headers), limits, sender, size)
    await expect(late).rejects.toMatchObject({ status: 408 })
  }
})

test('what has arrived is held, and one that has been released takes no more', async () => {
  const budget = createByteBudget(64 * 1024 * 1024)
  const hold = budget.hold('a')
  const chunks = [new Uint8Array(70_000), new Uint8Array(30_000)]
  const body = new ReadableStream({
    pull: (controller) => {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
  })
  expect(await readBody(post(body), limits, { arrivedAt: performance.now(), hold }, size)).toBe(100_000)
  expect(budget.load().held).toBe(100_000)
  hold.release()
  const again = readBody(post(new Uint8Array(100_000)), limits, { arrivedAt: performance.now(), hold }, size)
  await expect(again).rejects.toMatchObject({ status: 503 })
  expect(budget.load().held).toBe(0)
})

test('a body over the limit is refused by what it announces and by what it has', async () => {
  const sender = { arrivedAt: performance.now(), hold: null }
  const announced = () => readBody(post(endless(), { 'Content-Length': '1000001' }), limits, sender, size)
  expect(announced).toThrow(expect.objectContaining({ status: 413 }))
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(300_000)) })
  await expect(readBody(post(body), limits, sender, size)).rejects.toMatchObject({ status: 413 })
})

test('what has no announced size is counted as soon as it is more than a connection takes anyway', async () => {
  const budget = createByteBudget(64 * 1024 * 1024)
  const hold = budget.hold('a')
  hold.release()
  const read = (bytes: number) => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(bytes))
        controller.close()
      },
    })
    return readBody(post(body), limits, { arrivedAt: performance.now(), hold }, size)
  }
  expect(await read(4096)).toBe(4096)
  await expect(read(4097)).rejects.toMatchObject({ status: 503 })
})

test('a small body is held until it is there, and then only what it becomes beside its text', async () => {
  const budget = createByteBudget(64 * 1024 * 1024)
  const hold = budget.hold('a')
  const parse = () => {
    expect(budget.load().held).toBe(0)
    return hold.tryHold(5000)
  }
  const body = post(new Uint8Array(1000), { 'Content-Length': '1000' })
  expect(await readBody(body, limits, { arrivedAt: performance.now(), hold }, parse)).toBe(true)
  expect(budget.load().held).toBe(5000)
  hold.release()
  expect(budget.load().held).toBe(0)
})

test('a body that comes byte by byte takes the memory of its bytes, not that of as many objects', async () => {
  const pieces = 100_000
  const many = () => heapStats().objectTypeCounts.Uint8Array ?? 0
  const before = many()
  let sent = 0
  let most = 0
  const body = new ReadableStream({
    pull: (controller) => {
      sent += 1
      if (sent <= pieces) return controller.enqueue(new Uint8Array([sent % 256]))
      Bun.gc(true)
      most = many() - before
      controller.close()
    },
  })
  const bytes = await readBody(post(body), limits, { arrivedAt: performance.now(), hold: null }, (read) => read)
  expect([bytes.byteLength, bytes[0], bytes[pieces - 1]]).toEqual([pieces, 1, pieces % 256])
  expect(most).toBeLessThan(pieces / 10)
})
