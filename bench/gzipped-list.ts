import { createGunzip } from 'node:zlib'
import { residentMb } from '../test/support/service.ts'
import { type Served, startService } from './child.ts'
import { median } from './figures.ts'
import type { Caller, Place } from './place.ts'

const rows = 100_000
const sampleMs = 10

/** A long list as gzip: when its first row can be read, and by how much the memory of a fresh service grows. */
export async function measureGzippedList(
  place: Place,
  rounds: number,
  ends: AsyncDisposableStack,
): Promise<Record<string, number>> {
  const service = await startService(place, ends)
  const idleMb = residentMb(service.pid)
  let peakMb = idleMb
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(service.pid))
  }, sampleMs)
  const taken: Taken[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await take(service, place.long.caller))
  clearInterval(timer)
  await service.stop()
  return {
    gzippedMegabytes: (taken[0]?.bytes ?? 0) / 1e6,
    gzippedFirstRowMs: median(taken.map(({ firstRowMs }) => firstRowMs)),
    gzippedSeconds: median(taken.map(({ seconds }) => seconds)),
    gzippedGrowthMb: peakMb - idleMb,
  }
}

interface Taken {
  readonly firstRowMs: number
  readonly seconds: number
  readonly bytes: number
}

async function take({ base }: Served, caller: Caller): Promise<Taken> {
  const startedAt = performance.now()
  const headers = { ...caller, 'Accept-Encoding': 'gzip' }
  const response = await fetch(`${base}/rest/v1/project?limit=${rows}`, { headers, decompress: false })
  if (response.headers.get('Content-Encoding') !== 'gzip') throw new Error('The list is not compressed')
  const decompressor = createGunzip()
  let firstRowMs = 0
  let lines = 1
  decompressor.on('data', (text: Buffer) => {
    firstRowMs ||= performance.now() - startedAt
    for (const byte of text) if (byte === 10) lines += 1
  })
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    await new Promise<void>((resolve) => decompressor.write(chunk, () => resolve()))
  }
  await new Promise<void>((resolve, reject) => decompressor.once('end', resolve).once('error', reject).end())
  if (lines !== rows) throw new Error(`The list has ${lines} rows in place of ${rows}`)
  return { firstRowMs, seconds: (performance.now() - startedAt) / 1000, bytes }
}
