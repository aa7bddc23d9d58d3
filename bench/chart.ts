/** The header of every chart. The colours are legible on light and dark backgrounds. */
export function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2933 }
  .title { font-size: 16px; font-weight: 600 }
  .quiet { fill: #52606d; font-size: 12px }
  .ground { fill: #ffffff }
  .grid { stroke: #d9e2ec; stroke-width: 1 }
  .mark { stroke: #1f2933; stroke-width: 2 }
  .end { text-anchor: end } .middle { text-anchor: middle }
  ${series.map(({ light }, at) => `.fill-${at} { fill: ${light} } .line-${at} { stroke: ${light}; fill: none; stroke-width: 2 }`).join('\n  ')}
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .quiet { fill: #9aa5b1 } .ground { fill: #16191d } .grid { stroke: #323f4b } .mark { stroke: #e4e7eb }
    ${series.map(({ dark }, at) => `.fill-${at} { fill: ${dark} } .line-${at} { stroke: ${dark} }`).join('\n    ')}
  }
</style>
<rect class="ground" width="${width}" height="${height}" rx="8"/>
${[text(16, 28, title, 'title'), ...parts].join('\n')}
</svg>
`
}

/** Distinguishable for colour-blind readers. */
const series = [
  { light: '#0b69a3', dark: '#5ba4cf' },
  { light: '#b44d12', dark: '#f0a35e' },
  { light: '#56306b', dark: '#c58fdf' },
  { light: '#0c7c59', dark: '#4ec9a0' },
  { light: '#9b1c4b', dark: '#f28cb1' },
  { light: '#5f6c1c', dark: '#c3cf6d' },
] as const

export const text = (x: number, y: number, content: string, classes = ''): string =>
  `<text x="${at(x)}" y="${at(y)}" class="${classes}">${escaped(content)}</text>`

export const line = (from: Point, to: Point, classes: string): string =>
  `<line x1="${at(from.x)}" y1="${at(from.y)}" x2="${at(to.x)}" y2="${at(to.y)}" class="${classes}"/>`

export const path = (points: readonly Point[], classes: string): string =>
  `<polyline points="${points.map(({ x, y }) => `${at(x)},${at(y)}`).join(' ')}" class="${classes}"/>`

export const dot = ({ x, y }: Point, classes: string): string =>
  `<circle cx="${at(x)}" cy="${at(y)}" r="3.5" class="${classes}"/>`

export const bar = ({ x, y }: Point, width: number, height: number, classes: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" rx="2" class="${classes}"/>`

export interface Point {
  readonly x: number
  readonly y: number
}

const at = (value: number): string => String(Number(value.toFixed(1)))
const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
