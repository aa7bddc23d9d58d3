import { expect, test } from 'bun:test'
import { createCheckpoints } from '../../src/store/sqlite/checkpoints.ts'

/** Checkpoints of a log that is only told how long it is. */
function checkpointsOf(size: { pages: number; uncopied: number }, readMsMax = 60_000) {
  const calls: string[] = []
  const copying = {
    here: () => void calls.push('here'),
    elsewhere: async () => void calls.push('elsewhere'),
    log: { countCommits: () => 0, size: () => size },
    readMsMax,
  }
  return { calls, ...createCheckpoints(copying) }
}

const untilCalled = async (calls: readonly string[]) => {
  while (calls.length === 0) await Bun.sleep(10)
}

test.each([
  ['short log is not copied', { pages: 999, uncopied: 999 }, []],
  ['log that SQLite would copy is copied at once', { pages: 1000, uncopied: 1000 }, ['here']],
  ['log that is mostly copied is not copied', { pages: 5000, uncopied: 900 }, []],
])('after a commit, a %s', (_, size, expected) => {
  const { calls, afterCommit } = checkpointsOf(size)
  afterCommit()
  expect(calls).toEqual(expected)
})

test.each([
  ['of which much is not copied', { pages: 2000, uncopied: 2000 }],
  ['that is long although it is copied', { pages: 16_384, uncopied: 0 }],
])('after a commit and after long work, a log %s is copied elsewhere', async (_, size) => {
  for (const event of ['afterCommit', 'afterLongWork'] as const) {
    const checkpoints = checkpointsOf(size)
    checkpoints[event]()
    checkpoints[event]()
    expect(checkpoints.calls).toEqual([])
    await untilCalled(checkpoints.calls)
    expect(checkpoints.calls).toEqual(['elsewhere'])
    checkpoints.close()
  }
})

test('long reads wait for the restart of a log that is too long, and for nothing else', async () => {
  const size = { pages: 32_767, uncopied: 0 }
  const { calls, makeRoom } = checkpointsOf(size)
  await makeRoom()
  expect(calls).toEqual([])
  size.pages = 32_768
  let isThrough = false
  const through = makeRoom().then(() => (isThrough = true))
  await untilCalled(calls)
  expect(isThrough).toBe(false)
  size.pages = 0
  await through
})

test('long reads wait no longer than others may run, and not again before the log has doubled', async () => {
  const size = { pages: 40_000, uncopied: 40_000 }
  const { calls, makeRoom } = checkpointsOf(size, 300)
  await makeRoom()
  expect(calls).toEqual(['elsewhere'])
  calls.length = 0
  size.pages = 79_999
  await makeRoom()
  expect(calls).toEqual([])
  size.pages = 80_000
  const through = makeRoom()
  await untilCalled(calls)
  size.pages = 0
  await through
})
