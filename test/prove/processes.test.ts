import { afterAll, expect, test } from 'bun:test'
import { treeMb } from '../../prove/processes.ts'

const heldMb = 300
const program = `
  globalThis.held = Buffer.alloc(${heldMb} * 1024 * 1024, 1)
  console.log('ready')
  const start = () => Bun.spawn(['true'], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
  for (;;) await Promise.all([start(), start(), start(), start()])`
const parent = Bun.spawn([process.execPath, '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
afterAll(() => parent.kill('SIGKILL'))

test('the memory of a process is not counted again for one that it is just starting', async () => {
  await parent.stdout.getReader().read()
  const sizes = Array.from({ length: 5000 }, () => treeMb(parent.pid))
  expect(Math.min(...sizes)).toBeGreaterThan(heldMb)
  expect(Math.max(...sizes)).toBeLessThan(2 * heldMb)
})
