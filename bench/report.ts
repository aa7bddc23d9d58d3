import type { Compared } from './compare.ts'
import { shown } from './figures.ts'

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

const widths = [10, 44, 24, 20, 18, 8, 8, 8, 7, 14, 10]

export const textLine = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => `${cell.padEnd(widths[at] ?? 10)} `)
    .join('')
    .trimEnd()
