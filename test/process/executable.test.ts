import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comesWithin, until } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'project-api-executable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(folder, 'project-api')
const listTrace = '"GET /rest/v1/:resource"'
const nothing = { cwd: folder, env: {}, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const

/** Alone in a folder, with no environment: nothing of this repository, of Bun or of Node can help it. */
test('one file is the whole program', async () => {
  const build = Bun.spawn([process.execPath, join(import.meta.dir, '../../scripts/build.ts'), program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  expect(`${await build.exited} ${await build.stderr.text()}`).toStartWith('0 Built')
  expect(readdirSync(folder)).toEqual(['project-api'])

  expect(await Bun.spawn([program, '--help'], nothing).stdout.text()).toStartWith('Usage: project-api COMMAND')

  const traces: string[] = []
  const collector = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (http) => {
      traces.push(await http.text())
      return Response.json({})
    },
  })
  const env = {
    ...{ PORT: '0', LOG: 'off', ADMIN_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin },
    BASE_URL: 'http://localhost:8080',
  }
  const service = Bun.spawn([program, 'serve'], { ...nothing, env })
  try {
    const listProjects = await tryOut(service.stdout)
    // Where a process of a busy machine stands still for three seconds, what was traced until then is given up.
    while (!(await comesWithin(15_000, () => traces.join().includes(listTrace)))) await listProjects()
  } finally {
    service.kill('SIGTERM')
  }
  expect(await service.exited).toBe(0)
  expect(traces.join()).toContain(listTrace)
  await collector.stop(true)
}, 300_000)

/** A request that is traced. */
async function tryOut(stdout: ReadableStream<Uint8Array>): Promise<() => Promise<unknown>> {
  const said = await untilReady(stdout)
  const base = /API +(http:\/\/\S+)\/rest/.exec(said)?.[1] ?? ''
  const key = /API key +(\S+)/.exec(said)?.[1] ?? ''
  const secret = /API secret +(\S+)/.exec(said)?.[1] ?? ''
  const headers = { apikey: key, authorization: `Bearer ${key}`, 'x-api-secret': secret }
  const listProjects = async (): Promise<unknown> =>
    (await fetch(`${base}/rest/v1/project?project_name=match.^Steel`, { headers })).json()
  expect(await listProjects()).toMatchObject([{ project_name: 'Steel deck' }])

  const page = await (await fetch(base)).text()
  const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(assets.length).toBeGreaterThan(2)
  const scripts = [...(await (await fetch(`${base}/docs`)).text()).matchAll(/src="([^"]+)"/g)].map(([, path]) => path)
  for (const path of [...assets, ...scripts]) {
    const answer = await fetch(base + path)
    expect([path, answer.status, (await answer.bytes()).length > 50]).toEqual([path, 200, true])
  }

  const signIn = await fetch(`${base}/api/auth/passkey/start`, {
    method: 'POST',
    headers: { origin: base, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await signIn.json()).toMatchObject({ rpId: 'localhost' })

  const metrics = /Metrics +(\S+)/.exec(said)?.[1] ?? ''
  expect(await (await fetch(metrics)).text()).toContain('project_api_requests_total{route="/rest/v1/:resource"')

  // A busy machine may keep it waiting for longer than it waits.
  await until(async () => {
    const ask = Bun.spawn([program, 'health'], { ...nothing, env: { PORT: new URL(base).port } })
    return (await ask.stdout.text()) === 'ready\n' && (await ask.exited) === 0
  })
  return listProjects
}

async function untilReady(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const utf8 = new TextDecoder()
  let said = ''
  for await (const bytes of stdout) {
    said += utf8.decode(bytes, { stream: true })
    if (said.includes('Create one:')) return said
  }
  throw new Error(`It ended before it was ready: ${said}`)
}
