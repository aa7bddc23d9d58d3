import { afterAll, expect, test } from 'bun:test'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { tryOut } from '../../src/store/try-out.ts'

// Nothing listens there, so that everything that is sent fails.
const server = openPostgres({ url: 'postgres://127.0.0.1:1/none', connectionsMax: 3, statementTimeoutMs: 1000 })
afterAll(() => server.close())

test('a transaction without statements asks nothing of the server', async () => {
  expect(await server.transact([])).toEqual([])
})

test('its check may still refuse it', async () => {
  const refuse = () => {
    throw new Error('refused')
  }
  await expect(server.transact([], refuse)).rejects.toThrow('refused')
})

test('it can be tried out', async () => {
  expect(await tryOut((check) => server.transact([], check), undefined)).toEqual([])
})
