import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { runProgram } from '../support/command.ts'
import { createTables } from '../support/database.ts'
import { engines, type Place } from '../support/engines.ts'
import { holdPost, isRefused } from '../support/raw.ts'
import { endAll, runCli, type Service, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const count = 3
const isLinux = process.platform === 'linux'

test('WORKERS is refused with SQLite, and says why', async () => {
  const { exitCode, stderr } = await runCli(['serve'], { WORKERS: '2', DATABASE_URL: 'any.db' })
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^WORKERS must be 1 with SQLite, .*Use PostgreSQL/)])
})

// Only there does the system share a port between processes fairly.
describe.skipIf(!isLinux)('workers', () => {
  let place: Place
  let headers: Record<string, string>
  let bidId: string

  beforeAll(async () => {
    const postgres = engines.find(({ name }) => name === 'postgres')
    if (!postgres) throw new Error('There is no PostgreSQL')
    place = await postgres.makePlace()
    const run = async (...args: string[]) =>
      JSON.parse((await runProgram([...args, '--json'], { DATABASE_URL: place.url })).stdout)
    await createTables(place.url)
    await run('company', 'create', 'Acme')
    const bid = await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')
    const made = await run('credential', 'create', '--company', 'Acme', '--name', 'All')
    headers = { apikey: made.api_key, 'X-API-Secret': made.api_secret, 'Content-Type': 'application/json' }
    bidId = bid.id
  })
  afterAll(() => place.remove())

  const start = (env: Record<string, string> = {}) =>
    startService({ DATABASE_URL: place.url, WORKERS: String(count), ...env })
  const create = (service: Service, name: string) =>
    fetch(`${service.base}/rest/v1/project`, {
      method: 'POST',
      headers: { ...headers, Connection: 'close' },
      body: JSON.stringify({ bid_id: bidId, project_name: name }),
    })
  const hold = (service: Service, project_name: string) =>
    holdPost(service.base, '/rest/v1/project', headers, { bid_id: bidId, project_name })
  const list = async (service: Service, name: string): Promise<unknown[]> =>
    (await fetch(`${service.base}/rest/v1/project?project_name=eq.${name}`, { headers })).json() as Promise<unknown[]>

  test('serve together on one port, and say so once', async () => {
    const service = await start()
    try {
      const pids = childrenOf(service.pid)
      expect(pids).toHaveLength(count)
      const before = pids.map(socketsOf)
      const sockets = await Promise.all(Array.from({ length: 60 }, () => openSocket(service)))
      await until(() => sum(pids.map(socketsOf)) - sum(before) >= sockets.length)
      for (const [at, pid] of pids.entries()) expect(socketsOf(pid)).toBeGreaterThan(before[at] ?? 0)
      for (const socket of sockets) socket.destroy()
      const answers = await Promise.all(Array.from({ length: 60 }, () => create(service, 'Together')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(await list(service, 'Together')).toHaveLength(60)
      expect(service.banner.match(/ready in/g)).toHaveLength(1)
      expect(service.banner).toContain(`Workers   ${count}\n`)
    } finally {
      expect(await service.stop()).toBe(0)
    }
    const lines = service.stdout.split('\n').filter((line) => line.includes('"event"'))
    expect(lines.map((line) => JSON.parse(line).event).filter((event) => event === 'request').length).toBeGreaterThan(
      60,
    )
    expect(service.stderr).toBe('')
  })

  test('that are killed are replaced, later each time it happens at once, and the service goes on', async () => {
    const service = await start()
    const [, ...others] = childrenOf(service.pid)
    const killed: number[] = []
    const next = () => childrenOf(service.pid).filter((pid) => !others.includes(pid) && !killed.includes(pid))
    // On a busy machine, one may be killed so late that it is not at once, and the next one counts as the first.
    const pauses = () => {
      const all = [...service.stdout.matchAll(/"event":"worker".* ended with SIGKILL.*in (\d+) ms/g)]
      const ms = all.map(([, text]) => Number(text))
      return ms.slice(ms.lastIndexOf(0) + 1)
    }
    while (pauses().length < 2) {
      await until(() => next().length === 1)
      for (const pid of next()) {
        process.kill(pid, 'SIGKILL')
        killed.push(pid)
        await until(() => service.stdout.includes(`Worker ${pid} ended`))
      }
    }
    expect(childrenOf(service.pid)).toEqual(expect.arrayContaining(others))
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(service, 'After')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await service.stop()).toBe(0)
    expect(pauses()).toEqual([100, 200])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('%s stops all, and loses no request under way', async (signal) => {
    const service = await start({ STOP_TIMEOUT_S: '300' })
    const pids = childrenOf(service.pid)
    const requests = Array.from({ length: 12 }, () => hold(service, signal))
    await Promise.all(requests.map(({ begun }) => begun))
    // As a terminal does, and a service manager: to each of them.
    for (const pid of [...pids, service.pid]) process.kill(pid, signal)
    await until(() => isRefused(service.base))
    const answers = await Promise.all(requests.map(({ finish }) => finish()))
    for (const answer of answers) expect(answer).toStartWith('HTTP/1.1 201 ')
    expect(await service.ended).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    expect(service.stdout.match(/"stopping"/g)).toHaveLength(1)
  })

  test('end at once when a second signal comes', async () => {
    const service = await start({ STOP_TIMEOUT_S: '300' })
    const pids = childrenOf(service.pid)
    const { begun, answer } = hold(service, 'Never')
    await begun
    service.kill('SIGTERM')
    await until(() => isRefused(service.base))
    service.kill('SIGTERM')
    expect(await service.ended).toBe(1)
    expect(await answer).not.toContain('HTTP/1.1 2')
    await until(() => pids.filter(isAlive).length === 0)
  })

  test('end when the process that looks after them is killed', async () => {
    const service = await start()
    const pids = childrenOf(service.pid)
    expect(pids.filter(isAlive)).toHaveLength(count)
    service.kill('SIGKILL')
    await until(() => pids.filter(isAlive).length === 0)
    expect(await isRefused(service.base)).toBe(true)
  })

  test('do not share a port with a service that is there already', async () => {
    const service = await start()
    const { port } = new URL(service.base)
    const env = { DATABASE_URL: place.url, WORKERS: '2', PORT: port }
    const { exitCode, stderr } = await runCli(['serve'], env)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Port ${port} is in use.`)])
    expect(await service.stop()).toBe(0)
  })
})

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  const isSocket = (name: string): boolean => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      // It was closed since the folder was read.
      return false
    }
  }
  return readdirSync(folder).filter(isSocket).length
}

function isAlive(pid: number): boolean {
  try {
    // One that has ended waits for whoever takes note of it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function openSocket(service: Service): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
