// Starts the service with `npm start` on a new database, uses it, and stops it. For CI on every platform; plain Node.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
/** The first start installs all dependencies. */
const startMsMax = 600_000
const stopMsMax = 60_000

const folder = mkdtempSync(join(tmpdir(), 'project-api-start-'))
let printed = ''
let isOver = false
const npm = spawn('npm', ['start'], {
  cwd: root,
  env: { ...process.env, PORT: '0', DATABASE_URL: join(folder, 'new.db'), LOG: 'json' },
  stdio: ['ignore', 'pipe', 'pipe'],
  shell: isWindows,
})
for (const stream of [npm.stdout, npm.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
}
npm.once('exit', () => {
  isOver = true
})

try {
  await until(() => printed.includes('Create one:') || isOver, startMsMax, 'start')
  const [, base = ''] = /API +(http:\/\/\S+)\/rest/.exec(printed) ?? fail('It did not start')
  await use(base)
  await stop(base)
  console.log(`npm start works on ${process.platform} ${process.arch} with Node ${process.version}.`)
} catch (error) {
  console.error(printed)
  console.error(error)
  process.exitCode = 1
} finally {
  end('SIGKILL')
  await until(() => isOver, stopMsMax, 'end')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

async function use(base) {
  const [, key = ''] = /API key +(\S+)/.exec(printed) ?? []
  const [, secret = ''] = /API secret +(\S+)/.exec(printed) ?? []
  const [, bid_id = ''] = /A bid's id +(\S+)/.exec(printed) ?? []
  const headers = { apikey: key, 'X-API-Secret': secret, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ bid_id, project_name: 'Made by check-start' })
  await expect(fetch(`${base}/rest/v1/project`, { method: 'POST', headers, body }), 201, 'Made by check-start')
  await expect(fetch(`${base}/rest/v1/project?project_name=match.^Steel`, { headers }), 200, 'Steel deck')
  await expect(fetch(`${base}/health/ready`), 200, 'ok')
  const page = await expect(fetch(base), 200, '/assets/main-')
  const [script = ''] = /\/assets\/main-[^"]+\.js/.exec(page) ?? []
  await expect(fetch(base + script), 200, 'import')
}

/** A signal to npm has to end the service, too. Windows has no such signals. */
async function stop(base) {
  end('SIGTERM')
  const isGone = () =>
    fetch(`${base}/health/live`).then(
      () => false,
      () => true,
    )
  await until(isGone, stopMsMax, 'stop')
}

function end(signal) {
  if (isOver) return
  if (isWindows) spawnSync('taskkill', ['/pid', String(npm.pid), '/t', '/f'])
  else npm.kill(signal)
}

async function expect(asked, status, part) {
  const answer = await asked
  const text = await answer.text()
  if (answer.status !== status || !text.includes(part))
    fail(`${answer.url} answers ${answer.status}, without "${part}": ${text.slice(0, 500)}`)
  return text
}

async function until(holds, msMax, what) {
  for (const startedAt = Date.now(); !(await holds()); await sleep(100))
    if (Date.now() - startedAt > msMax) fail(`It did not ${what} within ${msMax / 1000} s`)
}

function fail(message) {
  throw new Error(message)
}
