import { connect, type Socket } from 'node:net'
import { residentMb } from '../test/support/service.ts'
import { type Served, startBare, startService } from './child.ts'
import type { Compared, Pace } from './compare.ts'
import { median, spreadOf } from './figures.ts'
import { measureGzippedList } from './gzipped-list.ts'
import type { Caller, Place } from './place.ts'

const stalledClients = 20
const stalledMs = 3000

/** A list that is too large for memory: its speed, and the memory of the service after a fresh start. */
export async function compareLongList(place: Place, { rounds }: Pace, ends: AsyncDisposableStack): Promise<Compared> {
  const { caller } = place.long
  const service = await startService(place, ends)
  const bare = await startBare(place, ends)
  const idleMb = residentMb(service.pid)
  const urls = [`${service.base}/rest/v1/project`, `${bare.base}/least/stream`]
  const sums = await Promise.all(urls.map((url) => fingerprint(url, caller)))
  if (sums[0]?.hash !== sums[1]?.hash) throw new Error('The long lists differ')
  const megabytes = (sums[0]?.bytes ?? 0) / 1e6
  const peakMb = watchMemory(service)
  const turns: { readonly own: Taken; readonly other: Taken }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [0, 1] : [1, 0]
    const taken: Taken[] = []
    for (const at of [first, second]) taken[at] = await take(urls[at] ?? '', caller)
    if (taken[0] && taken[1]) turns.push({ own: taken[0], other: taken[1] })
  }
  const growthMb = (await peakMb()) - idleMb
  const stalledMb = await stall(service, urls[0] ?? '', caller)
  await Promise.all([service.stop(), bare.stop()])
  const gzipped = await measureGzippedList(place, rounds, ends)
  const speed = (who: 'own' | 'other') => ({
    speed: spreadOf(turns.map((turn) => megabytes / turn[who].seconds)),
    p50Ms: null,
    p99Ms: null,
    cpuUs: null,
  })
  return {
    ...{ engine: place.engine, subject: 'stream', title: 'list all rows, streamed', unit: 'MB/s', rounds },
    service: speed('own'),
    rivals: [
      {
        ...{ name: 'bare stream', target: 0.6, ...speed('other') },
        ratio: spreadOf(turns.map(({ own, other }) => other.seconds / own.seconds)),
      },
    ],
    more: {
      rows: sums[0]?.rows ?? 0,
      megabytes,
      firstByteMs: median(turns.map(({ own }) => own.firstByteMs)),
      bareFirstByteMs: median(turns.map(({ other }) => other.firstByteMs)),
      memoryIdleMb: idleMb,
      memoryGrowthMb: growthMb,
      stalledClients,
      stalledMemoryMb: stalledMb,
      ...gzipped,
    },
  }
}

async function fingerprint(url: string, headers: Caller) {
  const hasher = new Bun.CryptoHasher('sha256')
  const response = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'identity' } })
  let bytes = 0
  let rows = 1
  for await (const chunk of response.body ?? []) {
    hasher.update(chunk)
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) rows += 1
  }
  return { hash: hasher.digest('hex'), bytes, rows }
}

interface Taken {
  readonly firstByteMs: number
  readonly seconds: number
}

/** Reads the whole response as fast as possible, and discards it. */
function take(url: string, caller: Caller): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstByteMs = 0
    let tail = ''
    const socket = ask(url, caller)
    socket.on('data', (bytes: Buffer) => {
      firstByteMs ||= performance.now() - startedAt
      tail = (tail + bytes.subarray(-8).toString('latin1')).slice(-8)
    })
    socket.once('error', reject)
    socket.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000
      // The final empty chunk: without it, the list was cut off.
      if (tail.endsWith('0\r\n\r\n')) resolve({ firstByteMs, seconds })
      else reject(new Error(`The list of ${url} ended early`))
    })
  })
}

function ask(url: string, caller: Caller): Socket {
  const { hostname, port, host, pathname } = new URL(url)
  const fields = Object.entries({ ...caller, Host: host, Connection: 'close' })
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${pathname} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  return socket
}

/** Clients that request the whole list and do not read the response. */
async function stall(service: Served, url: string, caller: Caller): Promise<number> {
  const peakMb = watchMemory(service)
  const sockets = Array.from({ length: stalledClients }, () => ask(url, caller).pause())
  for (const socket of sockets) socket.on('error', () => {})
  await Bun.sleep(stalledMs)
  const peak = await peakMb()
  for (const socket of sockets) socket.destroy()
  return peak
}

/** Samples the memory of a process. The result stops it and returns the maximum. */
function watchMemory({ pid }: Served): () => Promise<number> {
  let most = residentMb(pid)
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, 20)
  return async () => {
    clearInterval(timer)
    return most
  }
}
