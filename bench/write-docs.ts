import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clustered } from './cluster.ts'
import type { Compared } from './compare.ts'
import type { Evented } from './events.ts'
import { shown } from './figures.ts'
import { dimensions, type Grown } from './growth.ts'
import type { Lived } from './live.ts'
import type { Peered } from './peers.ts'
import { percent } from './report.ts'
import { type Origin, readResults, resultsFolder } from './results.ts'
import type { Soaked } from './soak.ts'
import type { Staged } from './stages.ts'
import type { Started } from './start.ts'
import { subjectNames } from './subjects.ts'
import type { Worked } from './workers.ts'

/** Writes the latest figures as tables between their markers in the docs. The other text stays. */
export function writeDocs(): void {
  writePage('docs/performance.md', tables)
  writePage('docs/compare.md', { peers: withOrigin(peersTable) })
}

function writePage(name: string, makers: Readonly<Record<string, Make>>): void {
  const page = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const folder = resultsFolder()
  let text = readFileSync(page, 'utf8')
  for (const [mark, make] of Object.entries(makers)) {
    const kept = readResults<never>(folder, mark)
    if (!kept) continue
    const marks = new RegExp(`(<!-- ${mark} -->\\n)[^]*?(<!-- /${mark} -->)`)
    if (!marks.test(text)) throw new Error(`${name} has no place for ${mark}`)
    text = text.replace(marks, (_, open, close) => `${open}${make(kept.rows)}\n${close}`)
  }
  writeFileSync(page, text)
}

/** `Measured 2026-01-31 on 2 × …`: the latest day for each machine. */
function originOf(rows: readonly Origin[]): string {
  const days = new Map<string, string>()
  for (const { machine, measuredAt } of rows.toSorted((a, b) => (a.measuredAt < b.measuredAt ? -1 : 1)))
    days.set(machine, measuredAt.slice(0, 10))
  return `\nMeasured ${[...days].map(([machine, day]) => `${day} on ${machine}`).join('; ')}.`
}

type Make = (rows: readonly (never & Origin)[]) => string

const withOrigin =
  (make: Make): Make =>
  (rows) =>
    `${make(rows)}\n${originOf(rows)}`

const wholeTables: Readonly<Record<string, Make>> = {
  compare: (rows: readonly Compared[]) =>
    [
      table(
        ['Request', 'Engine', 'Service', 'CPU', 'Against', 'Its speed', 'CPU', 'Ratio (spread)', 'Target'],
        rows.toSorted(bySubject).flatMap(comparedCells),
      ),
      '',
      ...rows.filter(({ more }) => more).map(streamSentence),
    ].join('\n'),
  stages: (rows: readonly Staged[]) => {
    const names = Object.keys(rows[0]?.stages ?? {})
    return table(
      ['Request', 'Engine', ...names, 'CPU, whole', 'CPU, bare'],
      rows.map(({ title, engine, stages, appCpuUs, bareCpuUs }) => [
        ...[title, called[engine], ...names.map((name) => us(stages[name]))],
        ...[us(appCpuUs), us(bareCpuUs)],
      ]),
    )
  },
  start: (rows: readonly Started[]) =>
    table(
      ['Engine', 'Start to first answer (spread)', 'Idle memory'],
      rows.map(({ engine, firstAnswerMs: { median, min, max }, idleMb }) => [
        ...[called[engine], `${shown(median)} ms (${shown(min)} – ${shown(max)})`, `${shown(idleMb.median)} MB`],
      ]),
    ),
  workers: (rows: readonly Worked[]) =>
    table(
      ['Request', ...(rows[0]?.speeds ?? []).map(({ workers }) => `WORKERS=${workers} (spread)`)],
      rows.map(({ title, speeds }) => [
        title,
        ...speeds.map(({ speed: { median, min, max } }) => `${shown(median)}/s (${shown(min)} – ${shown(max)})`),
      ]),
    ),
  events: (rows: readonly Evented[]) =>
    table(
      [
        'Engine',
        'With its event',
        'Without',
        'More time (spread)',
        'CPU',
        'CPU without',
        'More CPU (spread)',
        'Target',
      ],
      rows.map(({ engine, on, off, moreTime, moreCpu }) => [
        ...[called[engine], `${shown(on.speed.median)}/s`, `${shown(off.speed.median)}/s`, percent(moreTime)],
        ...[us(on.cpuUs), us(off.cpuUs), percent(moreCpu), `≤ 25 %${moreCpu.median <= 0.25 ? '' : ', missed'}`],
      ]),
    ),
  live: (rows: readonly Lived[]) =>
    table(
      ['Engine', 'Instances', 'Writes', 'Arrived', 'Missed', 'p50', 'p99', 'Target', 'Memory above idle', 'Target'],
      rows.map(({ engine, instances, writesPerSecond, arrived, missed, p50Ms, p99Ms, memoryGrowthMb }) => {
        const p99MaxMs = instances === 1 ? 250 : 1000
        return [
          ...[
            called[engine],
            String(instances),
            `${shown(writesPerSecond)}/s`,
            arrived.toLocaleString('en'),
            String(missed),
          ],
          ...[`${shown(p50Ms)} ms`, `${shown(p99Ms)} ms`, `< ${p99MaxMs} ms${p99Ms < p99MaxMs ? '' : ', missed'}`],
          ...[`${shown(memoryGrowthMb)} MB`, `< 150 MB${memoryGrowthMb < 150 ? '' : ', missed'}`],
        ]
      }),
    ),
  cluster: (rows: readonly Clustered[]) =>
    table(
      ['Request', 'One PostgreSQL', 'Citus', 'Ratio (spread)', 'Target'],
      rows.map(({ title, plain, cluster, ratio }) => [
        ...[title, `${shown(plain.median)}/s`, `${shown(cluster.median)}/s`],
        `**${ratio.median.toFixed(2)}** (${ratio.min.toFixed(2)} – ${ratio.max.toFixed(2)})`,
        `≥ 0.6${ratio.median >= 0.6 ? '' : ', missed'}`,
      ]),
    ),
  soak: (rows: readonly Soaked[]) =>
    table(
      ['Engine', 'Time', 'Requests', 'Errors', 'p50', 'p99', 'Memory, early → late'],
      rows.map(({ engine, seconds, requests, errors, p50Ms, p99Ms, memoryEarlyMb, memoryLateMb }) => [
        ...[called[engine], `${seconds / 60} min`, requests.toLocaleString('en'), String(errors)],
        ...[`${shown(p50Ms)} ms`, `${shown(p99Ms)} ms`, `${shown(memoryEarlyMb)} → ${shown(memoryLateMb)} MB`],
      ]),
    ),
}

/** A table for each quantity. They are not always measured together. */
const growthTables = (rows: readonly (Grown & Origin)[]): string =>
  dimensions
    .filter(({ name }) => rows.some(({ dimension }) => dimension === name))
    .map(({ name, title, sizes }) => {
      const own = rows.filter(({ dimension }) => dimension === name)
      const columns = sizes.map((size) => size.toLocaleString('en'))
      const head = ['µs for a request', 'Engine', ...columns, 'Last ÷ first (spread)', 'Target']
      const idle = own.map(idleSentence).join('')
      return `By ${title}:\n\n${table(head, own.flatMap(grownCells))}\n${idle}${originOf(own)}`
    })
    .join('\n\n')

const tables: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(Object.entries(wholeTables).map(([name, make]) => [name, withOrigin(make)])),
  growth: growthTables,
}

const peersTable = (rows: readonly Peered[]): string =>
  table(
    ['Request', 'Service', 'CPU', 'Against', 'Its speed', 'CPU', 'Times as fast (spread)'],
    rows.flatMap(({ title, service, peers }) =>
      peers.map(({ name, speed, cpuUs, ratio }) => [
        ...[title, `${shown(service.speed.median)}/s`, us(service.cpuUs), name, `${shown(speed.median)}/s`, us(cpuUs)],
        `**${ratio.median.toFixed(1)}** (${ratio.min.toFixed(1)} – ${ratio.max.toFixed(1)})`,
      ]),
    ),
  )

const called = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

const bySubject = (a: Compared, b: Compared): number => placeOf(a) - placeOf(b)
const placeOf = ({ subject }: Compared): number => subjectNames.indexOf(subject)

function comparedCells({ title, engine, unit, service, rivals }: Compared): string[][] {
  const per = unit === 'MB/s' ? ' MB/s' : '/s'
  return rivals.map(({ name, target, ratio, speed, cpuUs }) => [
    ...[title, called[engine], shown(service.speed.median) + per, us(service.cpuUs)],
    ...[name, shown(speed.median) + per, us(cpuUs)],
    `**${ratio.median.toFixed(2)}** (${ratio.min.toFixed(2)} – ${ratio.max.toFixed(2)})`,
    `≥ ${target}${ratio.median >= target ? '' : ', missed'}`,
  ])
}

function streamSentence({ engine, more = {} }: Compared): string {
  const of = (name: string): string => shown(more[name] ?? Number.NaN)
  const gzipped =
    more.gzippedFirstRowMs === undefined
      ? ''
      : ` 100,000 of its rows as gzip: ${of('gzippedMegabytes')} MB in ${of('gzippedSeconds')} s; first row after ${of('gzippedFirstRowMs')} ms; memory grows by ${of('gzippedGrowthMb')} MB.`
  return `- The long list on ${called[engine]}: ${of('rows')} rows, ${of('megabytes')} MB; first byte after ${of('firstByteMs')} ms; memory grows by ${of('memoryGrowthMb')} MB; with 20 clients that read nothing the process holds ${of('stalledMemoryMb')} MB.${gzipped}`
}

const grownCells = ({ engine, requests }: Grown): string[][] =>
  requests.map(({ name, medianUs, ratio: { median, min, max }, target }) => [
    ...[name, called[engine], ...medianUs.map(shown)],
    `**${median.toFixed(2)}** (${min.toFixed(2)} – ${max.toFixed(2)})`,
    target === null ? '' : `≤ ${target}${median <= target ? '' : ', missed'}`,
  ])

function idleSentence({ engine, sizes, idleMb }: Grown): string {
  if (!idleMb) return ''
  const by = idleMb.map((mb, at) => `${shown(mb)} MB at ${sizes[at]?.toLocaleString('en')}`)
  return `\nIdle memory on ${called[engine]}: ${by.join(', ')}.\n`
}

const us = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : `${shown(value)} µs`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
