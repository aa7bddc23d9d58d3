import { Exchange, stageNames } from '../src/exchange.ts'
import { openInside } from './app.ts'
import { createHandles } from './bare/handle.ts'
import { leastHead } from './bare/head.ts'
import { createMemory } from './bare/memory.ts'
import { openBare } from './bare/open.ts'
import type { Engine } from './engine.ts'
import { median } from './figures.ts'
import type { Place } from './place.ts'
import { makeSubjects, type Subject } from './subjects.ts'

/** How the time of a request divides into stages: one request at a time, without a port. */
export interface Staged {
  readonly engine: Engine
  readonly subject: string
  readonly title: string
  /** Median wall-clock time in microseconds; work in another process counts as store. */
  readonly stages: Readonly<Record<string, number>>
  /** CPU time of this process for a whole request: routing, stages, headers, usage counts. */
  readonly appCpuUs: number
  /** The same for the bare handler. */
  readonly bareCpuUs: number
}

const measured = ['list-20', 'get', 'embed', 'create']
const requests = 4000
const batches = 8
/** Fewer repetitions if each request waits for the disk. */
const timeMs = 4000

export async function* measureStages(place: Place): AsyncGenerator<Staged> {
  const inside = openInside(place.databaseUrl)
  const bare = openBare(place.databaseUrl)
  const handles = createHandles(bare)
  const findCompany = createMemory(bare)
  for (const subject of makeSubjects(place).filter(({ name }) => measured.includes(name))) {
    const { name, title, path, caller } = subject
    const ask = () => new Request(`http://bench${path}`, initOf(subject))
    const [, , route = '', rest = ''] = subject.rivals[0]?.path.split('/') ?? []
    const stages = await timeStages(subject, inside.rest)
    const appCpuUs = await cpuUsOf(async () => void (await (await inside.app(ask(), () => '')).text()))
    const bareCpuUs = await cpuUsOf(async () => {
      const digests = [caller.apikey, caller['x-api-secret']].map((token) => Bun.SHA256.hash(token, 'hex'))
      const company = await findCompany(digests[0] ?? '', digests[1] ?? '')
      await (await handles[route]?.(ask(), company, rest, leastHead))?.text()
    })
    yield { engine: place.engine, subject: name, title, stages, appCpuUs, bareCpuUs }
  }
  await inside.close()
}

function initOf({ body, caller }: Subject): RequestInit {
  return body === null
    ? { headers: caller }
    : { method: 'POST', headers: { ...caller, 'Content-Type': 'application/json' }, body }
}

async function timeStages(subject: Subject, rest: ReturnType<typeof openInside>['rest']) {
  const [path = '', queryText = ''] = subject.path.split('?')
  const address = { name: path.split('/').at(-1) ?? '', queryText }
  const times = new Map<string, number[]>()
  const endsAt = performance.now() + timeMs
  for (let count = 0; count < requests && performance.now() < endsAt; count += 1) {
    const exchange = new Exchange()
    const http = new Request(`http://bench${subject.path}`, initOf(subject))
    let before = performance.now()
    await rest(http, address, exchange)
    for (const [position, at] of exchange.stageEnds.entries()) {
      const stage = stageNames[position] ?? ''
      const known = times.get(stage) ?? []
      known.push((at - before) * 1000)
      times.set(stage, known)
      before = at
    }
  }
  return Object.fromEntries([...times].map(([stage, all]) => [stage, median(all.slice(all.length >> 2))]))
}

/** The minimum of several batches, because other load on the machine can only add time. */
async function cpuUsOf(work: () => Promise<void>): Promise<number> {
  const found: number[] = []
  for (let batch = 0; batch <= batches; batch += 1) {
    const before = process.cpuUsage()
    const endsAt = performance.now() + timeMs / batches
    let count = 0
    for (; count < requests / batches && performance.now() < endsAt; count += 1) await work()
    const { user, system } = process.cpuUsage(before)
    found.push((user + system) / count)
  }
  return Math.min(...found.slice(1))
}
