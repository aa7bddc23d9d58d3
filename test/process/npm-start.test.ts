import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/service.ts'

setDefaultTimeout(300_000)

const root = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'project-api-npm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { PATH = '', HOME = '' } = process.env

test('npm start works on a new database, and ends with npm: the check of CI on every platform', async () => {
  const check = Bun.spawn(['node', 'scripts/check-start.js'], { cwd: root, env: { PATH, HOME }, stderr: 'pipe' })
  expect([await check.stderr.text(), await check.exited]).toEqual(['', 0])
})

// npm passes on SIGINT, and nothing of the other two.
test.each(['SIGINT', 'SIGHUP', 'SIGKILL'] as const)('%s to npm ends the service', async (signal) => {
  const env = { PATH, HOME, PORT: '0', DATABASE_URL: join(folder, `${signal}.db`), LOG: 'json', DEMO: 'off' }
  const npm = Bun.spawn(['npm', 'start'], { cwd: root, env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const base = await addressIn(npm.stderr)
  npm.kill(signal)
  await until(() =>
    fetch(`${base}/health/live`).then(
      () => false,
      () => true,
    ),
  )
  await npm.exited
})

async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const utf8 = new TextDecoder()
  let said = ''
  for await (const bytes of stderr) {
    said += utf8.decode(bytes, { stream: true })
    const [, base] = /(http:\/\/\S+)\/health\/ready\n/.exec(said) ?? []
    if (base) return base
  }
  throw new Error(`npm start ended: ${said}`)
}
