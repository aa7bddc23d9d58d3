import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { revokeCredential } from '../../src/keys/change.ts'
import { findProgram } from '../support/debian.ts'
import { engines, onEachEngine, type Place } from '../support/engines.ts'
import { flood } from '../support/flood.ts'
import { programs } from '../support/programs.ts'
import { sendRaw } from '../support/raw.ts'
import { comesWithin, type Environment, endAll, type Service, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

/** What test/support/reader.py does at a signal. */
const orders = { read: 'SIGUSR1', close: 'SIGUSR2', readSlowly: 'SIGHUP' } as const
/** Refused without a key, and the same in every line. */
const path = '/rest/v1/project'
const route = '"route":"/rest/v1/:resource"'
/** Their lines are more than 8 MB. */
const many = 50_000

let place: Place | undefined
afterEach(async () => {
  await endAll()
  await place?.remove()
  place = undefined
})

/** A service whose log is read up to the line of its start, and then only when asked for. */
async function start(kind: string, engine = 'sqlite', env: Environment = {}): Promise<Service> {
  place = await engines.find(({ name }) => name === engine)?.makePlace()
  return startOn(place?.url ?? '', kind, env)
}

function startOn(url: string, kind: string, env: Environment = {}): Promise<Service> {
  const through = [findProgram(programs.python), join(import.meta.dir, '../support/reader.py'), kind]
  return startService({ DATABASE_URL: url, DEMO: 'off', LOG: 'json', ...env }, through)
}

const isLive = async ({ base }: Service) => (await fetch(`${base}/health/live`)).status === 200

interface Line {
  readonly time: string
  readonly event: string
  readonly route?: string
  readonly lines?: number
}

/** Every line. One that is cut, or mixed with another, is no JSON. */
const linesOf = ({ stdout }: Service): Line[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const isFlood = ({ route }: Line) => route === '/rest/v1/:resource'

describe.each(['pipe', 'socket'])('a log on a %s', (kind) => {
  test('that nobody reads stops no request, and tells later what was dropped', async () => {
    const service = await start(kind)
    await flood(service.base, path, many)
    expect(await isLive(service)).toBe(true)
    service.kill(orders.read)
    await until(() => service.stdout.includes('"log_dropped"'))
    expect(await service.stop()).toBe(0)
    const lines = linesOf(service)
    const dropped = lines.reduce((total, { event, lines = 0 }) => total + (event === 'log_dropped' ? lines : 0), 0)
    // Health checks may be among those that were dropped.
    const told = lines.filter(isFlood).length + dropped
    expect(told).toBeGreaterThanOrEqual(many)
    expect(told).toBeLessThan(many + 20)
    const times = lines.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
  })
})

describe.each(['pipe', 'socket', 'terminal'])('a log on a %s', (kind) => {
  test('that nobody reads does not keep the service from ending', async () => {
    const service = await start(kind)
    await flood(service.base, path, 5000)
    expect(await service.stop()).toBe(0)
  })

  test('whose reader goes away does not stop the service', async () => {
    const service = await start(kind)
    service.kill(orders.close)
    await flood(service.base, path, 5000)
    expect(await isLive(service)).toBe(true)
    expect(await service.stop()).toBe(0)
    expect(service.stderr).toBe('')
  })

  test('that is read slowly has every line, whole and in order', async () => {
    const service = await start(kind)
    service.kill(orders.readSlowly)
    await flood(service.base, path, 5000)
    await until(() => service.stdout.split(route).length > 5000)
    expect(await service.stop()).toBe(0)
    const lines = linesOf(service)
    expect(lines.filter(isFlood)).toHaveLength(5000)
    const times = lines.map(({ time }) => time)
    expect(times).toEqual(times.toSorted())
  })
})

describe.each(['pipe', 'socket'])('workers that share a %s', (kind) => {
  test('do not mix their lines', async () => {
    const service = await start(kind, 'postgres', { WORKERS: '3' })
    service.kill(orders.readSlowly)
    await flood(service.base, path, 9000)
    await until(() => service.stdout.split(route).length > 9000)
    expect(await service.stop()).toBe(0)
    expect(linesOf(service).filter(isFlood)).toHaveLength(9000)
  })
})

onEachEngine('standard error on the pipe of the log', (world) => {
  /** A credential is remembered for a second; a moment more, and it must have been read again. */
  const rememberedMs = 1200

  // What the runtime itself writes there, it writes at once, and so it would wait for whoever reads the pipe.
  test('is not written to where a list is cut and nobody reads', async () => {
    const tenant = await world.acme.withCredential('read')
    const names = Array.from({ length: 2500 }, (_, at) => `${at} ${'x'.repeat(240)}`)
    // Far more than the kernel takes for a client that does not read.
    for (let part = 0; part < 20; part += 1) await world.acme.seed(names)
    const service = await startOn(world.databaseUrl, 'pipe of output and errors')
    await flood(service.base, path, 5000)
    const slow = sendRaw(service.base, `GET ${path}`, { ...tenant.headers, Connection: 'close' })
    await until(() => slow.received().length > 0)
    slow.socket.pause()
    await revokeCredential(world.db, { companyId: tenant.id, id: tenant.credentialId })
    await Bun.sleep(rememberedMs)
    slow.socket.resume()
    expect(await comesWithin(60_000, () => slow.socket.closed)).toBe(true)
    expect((await slow.ended).endsWith('0\r\n\r\n')).toBe(false)
    const { headers } = world.rival
    expect((await fetch(`${service.base}${path}`, { headers })).status).toBe(200)
    service.kill(orders.read)
    await until(() => service.stdout.includes(tenant.credentialId))
    expect(service.stdout).not.toContain('paced-stream')
    expect(await service.stop()).toBe(0)
  })
})
