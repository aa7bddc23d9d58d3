import { dot, line, type Point, path, svg, text } from './chart.ts'
import type { Dimension, Grown } from './growth.ts'

const panel = { left: 70, top: 78, width: 330, height: 260 }
const width = 1020
const height = 390

/** Both engines side by side, on the same scale. Both axes are logarithmic. */
export function growthChart({ title, sizes }: Dimension, rows: readonly Grown[]): string {
  const names = (rows[0]?.requests ?? []).map(({ name }) => name)
  const values = rows.flatMap(({ requests }) => requests.flatMap(({ medianUs }) => medianUs))
  const powers = range(Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values))))
  const parts = rows.flatMap((row, at) => drawPanel(row, at * (panel.width + 80), { sizes, powers }))
  const legend = names.flatMap((name, at) => [
    dot({ x: width - 130, y: panel.top + 10 + at * 24 }, `fill-${at}`),
    text(width - 118, panel.top + 14 + at * 24, name),
  ])
  return svg(width, height, `Microseconds for one request, by the number of ${title}`, [...parts, ...legend])
}

interface Scale {
  readonly sizes: readonly number[]
  readonly powers: readonly number[]
}

function drawPanel({ engine, requests }: Grown, shift: number, { sizes, powers }: Scale): string[] {
  const left = panel.left + shift
  const bottom = panel.top + panel.height
  const x = (at: number) => left + (at / (sizes.length - 1)) * panel.width
  const low = powers[0] ?? 0
  const y = (us: number) => bottom - ((Math.log10(us) - low) / ((powers.at(-1) ?? 1) - low)) * panel.height
  const grid = powers.flatMap((power) => [
    line({ x: left, y: y(10 ** power) }, { x: left + panel.width, y: y(10 ** power) }, 'grid'),
    text(left - 8, y(10 ** power) + 4, (10 ** power).toLocaleString('en'), 'quiet end'),
  ])
  const ticks = sizes.map((size, at) => text(x(at), bottom + 20, size.toLocaleString('en'), 'quiet middle'))
  const lines = requests.flatMap(({ medianUs }, series) => {
    const points = medianUs.map((us, at): Point => ({ x: x(at), y: y(us) }))
    return [path(points, `line-${series}`), ...points.map((point) => dot(point, `fill-${series}`))]
  })
  return [text(left, panel.top - 18, engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'), ...grid, ...ticks, ...lines]
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(2, to - from + 1) }, (_, at) => from + at)
