import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { createGatheredEvents } from '../../src/store/sqlite/gathered-events.ts'
import { createGroupCommit } from '../../src/store/sqlite/group-commit.ts'

test('after a long write elsewhere, the next one leaves the file to other processes for a moment', async () => {
  const engine = new Database(':memory:')
  const prepare = (text: string) => engine.prepare(text)
  const nothing = () => {}
  const commits = createGroupCommit(engine, prepare, createGatheredEvents(prepare), {
    endReads: nothing,
    afterCommit: nothing,
  })
  const sleep = spyOn(Bun, 'sleep')
  let hasRested = false
  // On a busy machine, the moment may be over before the next one comes. Other tests in this process sleep, too, for longer.
  for (let tries = 1; !hasRested && tries <= 10; tries += 1) {
    const release = await commits.hold()
    await new Promise((resolve) => setTimeout(resolve, 300))
    release()
    sleep.mockClear()
    const releaseNext = await commits.hold()
    hasRested = sleep.mock.calls.some(([ms]) => Number(ms) > 0 && Number(ms) <= 75)
    releaseNext()
  }
  sleep.mockRestore()
  expect(hasRested).toBe(true)
  engine.close()
})
