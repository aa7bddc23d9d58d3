import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeSecret, signedHeaders } from '../../src/webhooks/sign.ts'
import { findProgram } from '../support/debian.ts'
import { freePort } from '../support/postgres.ts'
import { programs } from '../support/programs.ts'
import { until } from './support.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [page, source] = await Promise.all(
  ['docs/events.md', 'src/web/webhooks/verify-snippets.tsx'].map((path) => Bun.file(`${root}${path}`).text()),
)
// Within the project, where its package for tests is found.
const folder = mkdtempSync(join(root, 'test/webhooks/receiver-'))
const running: Bun.Subprocess[] = []
afterAll(async () => {
  for (const one of running) one.kill('SIGKILL')
  await Promise.all(running.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

const snippet = (language: string): string => {
  const blocks = [...(page ?? '').matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))]
  return blocks.map(([, text = '']) => text).find((text) => text.includes('WEBHOOK_SECRET')) ?? ''
}

const receivers = [
  { language: 'ts', file: 'receiver.ts', command: () => [process.execPath] },
  { language: 'python', file: 'receiver.py', command: () => [findProgram(programs.python), '-u'] },
] as const

for (const { language, file, command } of receivers) {
  test(`the receiver of docs/events.md in ${language} works when pasted, and is the one of the settings page`, async () => {
    const text = snippet(language)
    expect(source).toContain(text.trim())
    const port = await freePort()
    const path = join(folder, file)
    writeFileSync(path, text.replace('3000', String(port)))
    const secret = makeSecret()
    const env = { ...process.env, WEBHOOK_SECRET: secret }
    running.push(Bun.spawn([...command(), path], { env, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'ignore'] }))
    const body = JSON.stringify({ type: 'project.created', data: { row: { project_name: 'Brücke' } } })
    const post = async (sent: string, secrets: readonly string[], at = new Date()) => {
      const headers = signedHeaders({ id: Bun.randomUUIDv7(), body, at }, secrets)
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { ...headers }, body: sent })).status
    }
    await until(() =>
      post(body, [secret]).then(
        (status) => status === 204,
        () => false,
      ),
    )
    expect(await post(body, [makeSecret(), secret])).toBe(204)
    expect(await post(body.replace('created', 'deleted'), [secret])).toBe(400)
    expect(await post(body, [makeSecret()])).toBe(400)
    expect(await post(body, [secret], new Date(Date.now() - 3_600_000))).toBe(400)
  })
}
