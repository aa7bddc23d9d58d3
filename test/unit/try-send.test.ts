import { expect, test } from 'bun:test'
import { trySend } from '../../src/try-send.ts'

const spawn = () => Bun.spawn([process.execPath, '-e', 'process.on("message", () => {})'], { ipc: () => {} })

test('a message to a process that runs is sent', async () => {
  const child = spawn()
  expect(trySend(child, 'any')).toBe(true)
  child.kill('SIGKILL')
  await child.exited
})

test('a message to a process that has ended is not, and nothing is thrown', async () => {
  const child = spawn()
  child.kill('SIGKILL')
  await child.exited
  expect(() => child.send('any')).toThrow()
  expect(trySend(child, 'any')).toBe(false)
})
