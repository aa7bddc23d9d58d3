import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the saved figures. Those of a quick run are not precise, so they are saved elsewhere. */
export const resultsFolder = (isQuick = false): string => {
  const folder = fileURLToPath(new URL(`./results/${isQuick ? 'quick/' : ''}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  return folder
}

/** When and where figures were measured. */
export interface Origin {
  readonly measuredAt: string
  readonly machine: string
}

export interface Kept<Row> {
  readonly rows: readonly (Row & Origin)[]
}

export function readResults<Row>(folder: string, name: string): Kept<Row> | null {
  const path = join(folder, `${name}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Adds rows to those of earlier runs, and replaces rows of the same subject. */
export function keepResults<Row>(
  folder: string,
  name: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Kept<Row> {
  const origin = { measuredAt: new Date().toISOString(), machine: machine() }
  const fresh = new Map(rows.map((row) => [keyOf(row), { ...row, ...origin }]))
  const before = (readResults<Row>(folder, name)?.rows ?? []).map((row) => fresh.get(keyOf(row)) ?? row)
  const known = new Set(before.map(keyOf))
  const kept = { rows: [...before, ...[...fresh.values()].filter((row) => !known.has(keyOf(row)))] }
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, rounded, 2)}\n`)
  return kept
}

export const keepChart = (folder: string, name: string, svg: string): void =>
  writeFileSync(join(folder, `${name}.svg`), svg)

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value

function machine(): string {
  const [cpu] = cpus()
  // Not every system tells the model.
  const model = cpu && cpu.model !== 'unknown' ? cpu.model.trim() : process.arch
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GB, Bun ${Bun.version}`
}
