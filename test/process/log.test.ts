import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { findProgram } from '../support/debian.ts'
import { engines, type Place } from '../support/engines.ts'
import { flood } from '../support/flood.ts'
import { programs } from '../support/programs.ts'
import { type Environment, endAll, type Service, startService, until } from '../support/service.ts'

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
})

/** A service whose log is read up to the line of its start, and then only when asked for. */
async function start(kind: string, engine = 'sqlite', env: Environment = {}): Promise<Service> {
  place = await engines.find(({ name }) => name === engine)?.makePlace()
  const through = [findProgram(programs.python), join(import.meta.dir, '../support/reader.py'), kind]
  return startService({ DATABASE_URL: place?.url ?? '', DEMO: 'off', LOG: 'json', ...env }, through)
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
