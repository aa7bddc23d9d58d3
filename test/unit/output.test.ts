import { describe, expect, test } from 'bun:test'
import { createOutput } from '../../src/output/create-output.ts'
import { until } from '../support/service.ts'

const megabyte = 1024 * 1024
const describeDropped = (lines: number) => `dropped ${lines}\n`
const linesOf = (text: string) => text.split('\n').slice(0, -1)

/** Takes so many bytes, then reports `code` until it is told to take more. */
function makeTarget({ roomBytes = Number.POSITIVE_INFINITY, code = 'EAGAIN', atomicBytes = 4096 } = {}) {
  let room = roomBytes
  const writes: string[] = []
  let tries = 0
  return {
    atomicBytes,
    writes,
    text: () => writes.join(''),
    tries: () => tries,
    take: (bytes: number) => {
      room = bytes
    },
    write: async (bytes: Uint8Array) => {
      tries += 1
      const part = bytes.subarray(0, room)
      if (part.length === 0) throw Object.assign(new Error(code), { code })
      room -= part.length
      writes.push(Buffer.from(part).toString())
      return part.length
    },
  }
}

describe('an output', () => {
  test('writes lines in their order, and those of a moment together', async () => {
    const target = makeTarget()
    const output = createOutput(describeDropped, target)
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`)
    for (const line of lines) output.write(`${line}\n`)
    expect(target.writes).toEqual([])
    await until(() => target.writes.length > 0)
    expect(target.writes).toEqual([`${lines.join('\n')}\n`])
  })

  test('writes no more at once than stays together, and cuts between lines', async () => {
    const target = makeTarget()
    const output = createOutput(describeDropped, target)
    const lines = Array.from({ length: 3000 }, (_, at) => `${at} ${'ä'.repeat(at % 150)}`)
    const long = 'x'.repeat(10_000)
    for (const line of [...lines, long, 'end']) output.write(`${line}\n`)
    await output.flush()
    expect(linesOf(target.text())).toEqual([...lines, long, 'end'])
    for (const text of target.writes) {
      expect(text).toEndWith('\n')
      if (text !== `${long}\n`) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(target.atomicBytes)
    }
  })

  test('goes on in the middle of a line where only a part of it was taken', async () => {
    const target = makeTarget({ roomBytes: 7 })
    const output = createOutput(describeDropped, target)
    output.write('one two three\nfour\n')
    await until(() => target.tries() > 3)
    expect(target.text()).toBe('one two')
    target.take(Number.POSITIVE_INFINITY)
    await output.flush()
    expect(target.text()).toBe('one two three\nfour\n')
  })

  test('keeps 8 MB while nobody reads, counts what is dropped, and says so in the place of the gap', async () => {
    const target = makeTarget({ roomBytes: 0 })
    const output = createOutput(describeDropped, target)
    const text = 'x'.repeat(1000)
    const count = 3 * 8400
    for (let at = 0; at < count; at += 1) output.write(`${at} ${text}\n`)
    await until(() => target.tries() > 3)
    target.take(Number.POSITIVE_INFINITY)
    await until(() => target.text().includes('dropped'))
    output.write('after\n')
    await output.flush()
    const lines = linesOf(target.text())
    const gap = lines.findIndex((line) => line.startsWith('dropped'))
    expect(lines.slice(0, gap).map((line) => Number.parseInt(line, 10))).toEqual(
      Array.from({ length: gap }, (_, at) => at),
    )
    expect(lines.slice(gap)).toEqual([`dropped ${count - gap}`, 'after'])
    const keptBytes = Buffer.byteLength(lines.slice(0, gap).join('\n'))
    expect(keptBytes).toBeLessThanOrEqual(8 * megabyte)
    expect(keptBytes).toBeGreaterThan(7.9 * megabyte)
  })

  test('says of every gap how long it is', async () => {
    const target = makeTarget({ roomBytes: 0 })
    const output = createOutput(describeDropped, target)
    const line = `${'x'.repeat(999)}\n`
    let count = 0
    const fill = () => {
      for (let times = 0; times < 10_000; times += 1) output.write(line)
      count += 10_000
    }
    for (let gaps = 0; gaps < 3; gaps += 1) {
      fill()
      target.take(megabyte)
      const { length } = target.writes
      await until(() => target.writes.length >= length + 200)
    }
    target.take(Number.POSITIVE_INFINITY)
    await output.flush()
    const lines = linesOf(target.text())
    const dropped = lines.filter((text) => text.startsWith('dropped')).map((text) => Number(text.slice(8)))
    expect(dropped.length).toBeGreaterThanOrEqual(3)
    expect(dropped.reduce((total, lines) => total + lines, 0) + lines.length - dropped.length).toBe(count)
  })

  test('takes a line that is longer than everything that may wait', async () => {
    const target = makeTarget()
    const output = createOutput(describeDropped, target)
    output.write(`${'x'.repeat(9 * megabyte)}\n`)
    output.write('dropped\n')
    await output.flush()
    output.write('after\n')
    await output.flush()
    expect(linesOf(target.text()).map(({ length }) => length)).toEqual([
      9 * megabyte,
      'dropped 1'.length,
      'after'.length,
    ])
  })

  test('loses nothing by a failure that passes', async () => {
    const pass = async (code: string) => {
      const target = makeTarget({ roomBytes: 5, code })
      const output = createOutput(describeDropped, target)
      output.write('before\n')
      await until(() => target.tries() > 1)
      output.write('meanwhile\n')
      target.take(Number.POSITIVE_INFINITY)
      await until(() => target.text().includes('meanwhile'))
      return target.text()
    }
    const texts = await Promise.all(['EPIPE', 'ENOSPC', 'EBADF', 'EIO'].map(pass))
    expect(texts).toEqual(texts.map(() => 'before\nmeanwhile\n'))
  })

  test('does not wait at the end for a write that fails', async () => {
    const target = makeTarget({ roomBytes: 0, code: 'EPIPE' })
    const output = createOutput(describeDropped, target)
    output.write('to nobody\n')
    await output.flush()
    expect(target.tries()).toBe(1)
  })

  test.each([
    ['is never read', makeTarget({ roomBytes: 0 })],
    ['never answers', { atomicBytes: 4096, write: () => new Promise<never>(() => {}) }],
  ])('does not wait long at the end for what %s', async (_, target) => {
    const output = createOutput(describeDropped, target)
    output.write('to nobody\n')
    await output.flush()
  })

  test('waits at the end for a reader that is slow', async () => {
    const target = makeTarget({ roomBytes: 0 })
    const output = createOutput(describeDropped, {
      ...target,
      write: (bytes) => {
        target.take(target.tries() % 2 === 0 ? 0 : 4)
        return target.write(bytes)
      },
    })
    output.write('to somebody\n')
    const startedAt = performance.now()
    await output.flush()
    // After a second, which a busy machine may need for it, the rest is written later.
    if (performance.now() - startedAt > 900) await until(() => target.writes.length === 3)
    expect(target.writes).toEqual(['to s', 'omeb', 'ody\n'])
  })
})
