import { residentMb } from '../test/support/service.ts'
import { type Served, startService } from './child.ts'
import type { Engine } from './engine.ts'
import { quantile } from './figures.ts'
import { type LiveReaders, openReaders } from './live-readers.ts'
import { busyUs } from './load.ts'
import { type Company, makeCompany, type Place, withDatabase } from './place.ts'

/** How long changes take to many readers of live streams, and the memory that these take. */
export interface Lived {
  readonly engine: Engine
  /** 2: one instance writes, and the readers are on the other one. */
  readonly instances: number
  readonly companies: number
  readonly readers: number
  /** Writes per second that were answered, over all companies. */
  readonly writesPerSecond: number
  readonly arrived: number
  readonly missed: number
  /** From the request for the change until its event was with a reader. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** More than the service took before the readers came. */
  readonly memoryGrowthMb: number
  /** CPU time of the process with the readers, as a share of the time that the writes took. */
  readonly cpuShare: number
}

const [companiesMax, readersEach, writesPerSecond] = [100, 10, 500]
/** Writes are sent in groups, this far apart. */
const beatMs = 20
const lateMs = 30_000

export async function measureLive(
  place: Place,
  instances: number,
  seconds: number,
  ends: AsyncDisposableStack,
): Promise<Lived> {
  const companies = await withDatabase(place.databaseUrl, (db) =>
    Promise.all(
      Array.from({ length: companiesMax }, (_, at) => makeCompany(db, place.databaseUrl, `Live ${instances} ${at}`)),
    ),
  )
  const env = { MAX_LIVE_STREAMS: String(2 * companiesMax * readersEach) }
  const services = await Promise.all(Array.from({ length: instances }, () => startService(place, ends, env)))
  const [writer, reader = writer] = services
  if (!writer || !reader) throw new Error('There is no service')
  // Whatever is made once, for the first requests, is no growth.
  for (const company of companies) await write(reader, company, 'warm')
  const idleMb = residentMb(reader.pid)
  const readers = await openReaders(reader.base, companies, readersEach)
  let peakMb = 0
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(reader.pid))
  }, 100)
  const busyBefore = busyUs(reader.pid)
  const { sentAt, tookS } = await writeSteadily(writer, companies, seconds)
  await untilArrived(readers, sentAt.size * readersEach)
  clearInterval(look)
  const cpuShare = (busyUs(reader.pid) - busyBefore) / 1e6 / tookS
  const times = readers.arrivals.map(({ name, at }) => at - (sentAt.get(name) ?? Number.NaN)).toSorted((a, b) => a - b)
  readers.close()
  await Promise.all(services.map(({ stop }) => stop()))
  return {
    ...{ engine: place.engine, instances, companies: companies.length, readers: companies.length * readersEach },
    ...{ writesPerSecond: sentAt.size / tookS, arrived: times.length },
    missed: sentAt.size * readersEach - times.length,
    ...{ p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), memoryGrowthMb: peakMb - idleMb, cpuShare },
  }
}

async function writeSteadily(service: Served, companies: readonly Company[], seconds: number) {
  const sentAt = new Map<string, number>()
  const underWay: Promise<void>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < writesPerSecond * seconds; ) {
    const due = Math.min(writesPerSecond * seconds, ((performance.now() - startedAt) / 1000) * writesPerSecond)
    for (; sent < due; sent += 1) {
      const name = `change ${sent}`
      sentAt.set(name, performance.now())
      underWay.push(write(service, companies[sent % companies.length], name))
    }
    await Bun.sleep(beatMs)
  }
  await Promise.all(underWay)
  return { sentAt, tookS: (performance.now() - startedAt) / 1000 }
}

async function write({ base }: Served, company: Company | undefined, bid_name: string): Promise<void> {
  const headers = { ...company?.caller, 'Content-Type': 'application/json', Prefer: 'return=minimal' }
  const answer = await fetch(`${base}/rest/v1/bid`, { method: 'POST', headers, body: JSON.stringify({ bid_name }) })
  await answer.text()
  if (!answer.ok) throw new Error(`A write was answered with ${answer.status}`)
}

async function untilArrived({ arrivals }: LiveReaders, count: number): Promise<void> {
  const endsAt = performance.now() + lateMs
  while (arrivals.length < count && performance.now() < endsAt) await Bun.sleep(20)
}
