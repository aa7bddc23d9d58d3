import { expect, test } from 'bun:test'
import type { Engine, Rows, Statements } from '../../src/store/database.ts'
import { withFailures } from '../../src/store/with-failures.ts'

const engine = { explain: (error: unknown) => (error === 'deadlock' ? 'collision' : null) } as Engine

/** Statements whose first writes fail, and how often they were sent. */
function failing(errors: readonly string[]) {
  const left = [...errors]
  let sent = 0
  const transact = async (): Promise<readonly Rows[]> => {
    sent += 1
    const error = left.shift()
    if (error !== undefined) throw error
    return [[['done']]]
  }
  const { transact: write } = withFailures({ transact } as unknown as Statements, engine)
  return { write: () => write([]), sent: () => sent }
}

test('a write that waited for another one, which waited for it, is sent again', async () => {
  const { write, sent } = failing(['deadlock', 'deadlock'])
  expect([await write(), sent()]).toEqual([[[['done']]], 3])
})

test('a write that is undone every time is refused, and can be sent again by the client', async () => {
  const { write, sent } = failing(Array(9).fill('deadlock'))
  expect(await write().catch(({ code }) => code)).toBe('40P01')
  expect(sent()).toBe(3)
})

test('what fails for another reason is not repeated', async () => {
  const { write, sent } = failing(['duplicate'])
  expect([await write().catch((error) => error), sent()]).toEqual(['duplicate', 1])
})
