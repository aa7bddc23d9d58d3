import { bar, line, svg, text } from './chart.ts'
import type { Compared } from './compare.ts'
import { engines } from './engine.ts'

const left = 330
const width = 860
/** Longer bars are cut off; their label has the number. */
const most = 2
const rowHeight = 26
const top = 72

/** The speed of the service as a share of each rival's, per subject and engine. */
export function ratioChart(rows: readonly Compared[]): string {
  const bars = rows.flatMap(({ engine, title, rivals }) =>
    rivals.map(({ name, ratio, target }, at) => ({
      ...{ engine, target, ratio: ratio.median },
      label: at === 0 ? title : `the same, against ${name}`,
    })),
  )
  const labels = [...new Set(bars.map(({ label }) => label))]
  const x = (ratio: number) => left + (Math.min(ratio, most) / most) * (width - left - 70)
  const groups = labels.map((label) => bars.filter((one) => one.label === label))
  const height = top + groups.reduce((sum, group) => sum + group.length * rowHeight + 14, 0) + 20
  let y = top
  const parts: string[] = []
  for (const share of [0, 0.5, 1, 1.5, 2]) {
    parts.push(line({ x: x(share), y: top - 10 }, { x: x(share), y: height - 22 }, 'grid'))
    parts.push(text(x(share), height - 8, share.toFixed(1), 'quiet middle'))
  }
  for (const [at, group] of groups.entries()) {
    parts.push(text(left - 12, y + (group.length * rowHeight) / 2 + 2, labels[at] ?? '', 'end'))
    for (const { engine, ratio, target } of group) {
      parts.push(bar({ x: left, y }, x(ratio) - left, rowHeight - 8, `fill-${engines.indexOf(engine)}`))
      parts.push(line({ x: x(target), y: y - 3 }, { x: x(target), y: y + rowHeight - 5 }, 'mark'))
      parts.push(text(Math.max(x(ratio), x(target)) + 8, y + 14, ratio.toFixed(2)))
      y += rowHeight
    }
    y += 14
  }
  const legend = engines.flatMap((engine, at) => [
    bar({ x: left + at * 130, y: 40 }, 14, 14, `fill-${at}`),
    text(left + 20 + at * 130, 52, engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'),
  ])
  return svg(width, height, 'Speed of the service, as a share of the bare handler’s', [
    ...legend,
    ...parts,
    text(left + 270, 52, 'the upright mark is the target', 'quiet'),
  ])
}
