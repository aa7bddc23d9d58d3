import { availableParallelism } from 'node:os'

const loopsPerCore = 2
/** It ends with the program that has started it, however that ends. */
const loop = 'const { ppid } = process; while (process.ppid === ppid) {}'

/** `npm run test:busy -- 10`: all tests so many times, beside programs that keep every core busy. */
const times = Number(process.argv[2] ?? 1)
if (!(times >= 1)) throw new Error('Say how often the tests are to run: npm run test:busy -- 10')
const loops = Array.from({ length: loopsPerCore * availableParallelism() }, () =>
  Bun.spawn([process.execPath, '-e', loop]),
)
try {
  const lines: string[] = []
  for (let at = 1; at <= times; at += 1) {
    const startedAt = performance.now()
    const exitCode = await Bun.spawn(['npm', 'test'], { stdio: ['ignore', 'inherit', 'inherit'] }).exited
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    lines.push(`Run ${at} of ${times}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes`)
    console.log(`\n${lines.join('\n')}`)
    if (exitCode !== 0) process.exitCode = 1
  }
} finally {
  for (const one of loops) one.kill()
}
