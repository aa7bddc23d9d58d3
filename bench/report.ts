import type { Clustered } from './cluster.ts'
import type { Compared } from './compare.ts'
import type { Evented } from './events.ts'
import { type Spread, shown } from './figures.ts'
import type { Grown } from './growth.ts'
import type { Lived } from './live.ts'
import type { Peered } from './peers.ts'
import type { Soaked } from './soak.ts'
import type { Staged } from './stages.ts'
import type { Started } from './start.ts'
import type { Worked } from './workers.ts'

export const headings = [
  'engine',
  'subject',
  'who',
  'speed',
  'min – max',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'ratio',
  'min – max',
  'target',
]

/** One line for the service and one for each rival. */
export function linesOf({ engine, title, unit, service, rivals, more }: Compared): string[][] {
  const own = [engine, title, 'service', ...speedCells(service, unit), '', '', '']
  const others = rivals.map(({ name, ratio, target, ...speed }) => {
    const ratios = [ratio.median.toFixed(2), `${ratio.min.toFixed(2)} – ${ratio.max.toFixed(2)}`]
    return ['', '', name, ...speedCells(speed, unit), ...ratios, `${ratio.median >= target ? 'ok' : 'below'} ${target}`]
  })
  const notes = Object.entries(more ?? {}).map(([name, value]) => ['', '', name, shown(value)])
  return [own, ...others, ...notes]
}

function speedCells({ speed, p50Ms, p99Ms, cpuUs }: Compared['service'], unit: string): string[] {
  const times = [p50Ms, p99Ms, cpuUs].map((value) => (value === null ? '' : shown(value)))
  return [`${shown(speed.median)} ${unit}`, `${shown(speed.min)} – ${shown(speed.max)}`, ...times]
}

export function peerLines({ title, service, peers }: Peered): string[][] {
  const own = ['postgres', title, 'service', ...speedCells(service, 'requests/s')]
  const others = peers.map(({ name, ratio, ...speed }) => [
    ...['', '', name, ...speedCells(speed, 'requests/s')],
    ...[ratio.median.toFixed(2), `${ratio.min.toFixed(2)} – ${ratio.max.toFixed(2)}`],
  ])
  return [own, ...others]
}

const widths = [10, 44, 24, 20, 18, 8, 8, 8, 7, 14, 10]

const textLine = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => `${cell.padEnd(widths[at] ?? 10)} `)
    .join('')
    .trimEnd()

export function print(lines: readonly (readonly string[])[]): void {
  for (const cells of lines) console.log(textLine(cells))
}

export function stageLine({ engine, title, stages, appCpuUs, bareCpuUs }: Staged): string {
  const parts = Object.entries(stages).map(([stage, us]) => `${stage} ${us.toFixed(1)}`)
  const whole = `app ${appCpuUs.toFixed(1)}, bare ${bareCpuUs.toFixed(1)} µs of CPU`
  return `${engine.padEnd(9)} ${title.padEnd(44)} ${parts.join(', ')} µs | ${whole}`
}

export function growthLines({ engine, dimension, sizes, requests, idleMb }: Grown): string[][] {
  const head = [engine, `µs by ${dimension}`, ...sizes.map((size) => size.toLocaleString('en')), 'last/first']
  const rows = requests.map(({ name, medianUs, ratio: { median, min, max }, target }) => [
    ...['', name, ...medianUs.map(shown), `${median.toFixed(2)} (${min.toFixed(2)} – ${max.toFixed(2)})`],
    ...(target === null ? [] : [`${median <= target ? 'ok' : 'above'} ${target}`]),
  ])
  return [head, ...rows, ...(idleMb ? [['', 'idle MB', ...idleMb.map(shown)]] : [])]
}

export const startLine = ({ engine, firstAnswerMs, idleMb }: Started): string =>
  `${engine.padEnd(9)} first answer ${shown(firstAnswerMs.median)} ms (${shown(firstAnswerMs.min)} – ${shown(firstAnswerMs.max)}), idle ${shown(idleMb.median)} MB`

export const soakLine = ({ engine, seconds, requests, errors, perSecond, ...row }: Soaked): string =>
  [
    `${engine.padEnd(9)} ${seconds} s: ${requests.toLocaleString('en')} requests, ${shown(perSecond)}/s, ${errors} errors,`,
    `p50 ${shown(row.p50Ms)} ms, p99 ${shown(row.p99Ms)} ms, memory ${shown(row.memoryEarlyMb)} → ${shown(row.memoryLateMb)} MB`,
  ].join(' ')

export const clusterLine = ({ title, plain, cluster, ratio }: Clustered): string =>
  `${title.padEnd(42)} plain ${shown(plain.median)}/s, cluster ${shown(cluster.median)}/s, ratio ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} – ${ratio.max.toFixed(2)})`

export const eventsLine = ({ engine, on, off, moreCpu, moreTime }: Evented): string =>
  [
    `${engine.padEnd(9)} create with its event ${shown(on.speed.median)}/s, without ${shown(off.speed.median)}/s,`,
    `${percent(moreTime)} time; CPU ${shown(on.cpuUs ?? 0)} and ${shown(off.cpuUs ?? 0)} µs, ${percent(moreCpu)}`,
  ].join(' ')

/** `+12 % (+8 – +15)` */
export const percent = ({ median, min, max }: Spread): string => {
  const [middle, low, high] = [median, min, max].map(
    (share) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)}`,
  )
  return `${middle} % (${low} – ${high})`
}

export const liveLine = ({ engine, instances, readers, companies, writesPerSecond, arrived, ...row }: Lived): string =>
  [
    `${engine.padEnd(9)} ${instances} instance(s), ${readers} readers of ${companies} companies, ${shown(writesPerSecond)} writes/s:`,
    `${arrived.toLocaleString('en')} arrived, ${row.missed} missed, p50 ${shown(row.p50Ms)} ms, p99 ${shown(row.p99Ms)} ms, memory +${shown(row.memoryGrowthMb)} MB, CPU ${shown(row.cpuShare * 100)} %`,
  ].join(' ')

export const workersLine = ({ title, speeds }: Worked): string =>
  `${title.padEnd(30)} ${speeds.map(({ workers, speed }) => `${workers}: ${shown(speed.median)}/s (${shown(speed.min)} – ${shown(speed.max)})`).join(', ')}`
