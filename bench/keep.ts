import type { Clustered } from './cluster.ts'
import type { Compared } from './compare.ts'
import { engines } from './engine.ts'
import type { Evented } from './events.ts'
import { dimensions, type Grown } from './growth.ts'
import { growthChart } from './growth-chart.ts'
import type { Lived } from './live.ts'
import type { Peered } from './peers.ts'
import { ratioChart } from './ratio-chart.ts'
import { keepChart, keepResults } from './results.ts'
import type { Soaked } from './soak.ts'
import type { Staged } from './stages.ts'
import type { Started } from './start.ts'
import { subjectNames } from './subjects.ts'
import type { Worked } from './workers.ts'

/** Each saves one kind of figures, and draws its chart from all saved figures. */
export function keepCompared(folder: string, row: Compared): void {
  const { rows } = keepResults(folder, 'compare', [row], ({ engine, subject }) => `${engine} ${subject}`)
  const place = ({ engine, subject }: Compared) =>
    subjectNames.indexOf(subject) * engines.length + engines.indexOf(engine)
  keepChart(folder, 'compare', ratioChart(rows.toSorted((a, b) => place(a) - place(b))))
}

export const keepStaged = (folder: string, row: Staged) =>
  keepResults(folder, 'stages', [row], ({ engine, subject }) => `${engine} ${subject}`)

export function keepGrown(folder: string, row: Grown): void {
  const { rows } = keepResults(folder, 'growth', [row], ({ engine, dimension }) => `${engine} ${dimension}`)
  const dimension = dimensions.find(({ name }) => name === row.dimension)
  const own = rows.filter((one) => one.dimension === row.dimension)
  if (dimension) keepChart(folder, `growth-${row.dimension}`, growthChart({ ...dimension, sizes: row.sizes }, own))
}

export const keepStarted = (folder: string, row: Started) => keepResults(folder, 'start', [row], ({ engine }) => engine)

export const keepEvented = (folder: string, row: Evented) =>
  keepResults(folder, 'events', [row], ({ engine }) => engine)

export const keepLived = (folder: string, row: Lived) =>
  keepResults(folder, 'live', [row], ({ engine, instances }) => `${engine} ${instances}`)

export const keepSoaked = (folder: string, row: Soaked) => keepResults(folder, 'soak', [row], ({ engine }) => engine)

export const keepPeered = (folder: string, row: Peered) => keepResults(folder, 'peers', [row], ({ subject }) => subject)
export const keepClustered = (folder: string, row: Clustered) =>
  keepResults(folder, 'cluster', [row], ({ subject }) => subject)

export const keepWorked = (folder: string, row: Worked) =>
  keepResults(folder, 'workers', [row], ({ subject }) => subject)
