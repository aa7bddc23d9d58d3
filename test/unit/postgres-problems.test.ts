import { expect, test } from 'bun:test'
import { problemIn } from '../../src/store/postgres/postgres-problems.ts'

test.each([
  ['23503', 'insert or update on table "project" violates foreign key constraint', 'foreign key'],
  ['XX000', 'insert or update on table "project_102017" violates foreign key constraint "f_102017"', 'foreign key'],
  ['XX000', 'duplicate key value violates unique constraint "project_pkey_102017"', 'duplicate'],
  ['XX000', 'could not find valid entry for shard 0', null],
  ['22P02', 'refused transition ["status","lead","won"]', 'refused'],
  ['22P02', 'invalid input syntax for type integer: "a"', 'unreadable'],
  ['08006', 'connection to server at "10.0.0.1", port 5432 failed: Connection refused', 'away'],
  ['08006', 'server closed the connection unexpectedly', 'interrupted'],
])('%s, %s is: %p', (code, message, problem) => {
  expect(problemIn(code, message) as string | null).toBe(problem)
})
