import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineName, Figures, Proof } from './proof.ts'
import { proofs } from './proofs.ts'

/** What a proof measured at its last run. */
export interface Result {
  readonly size: number
  readonly unit: string
  readonly seconds: number
  readonly date: string
  readonly figures: Figures
}

const folder = join(import.meta.dir, 'results')
const document = join(import.meta.dir, '../docs/reliability.md')
const start = '<!-- Written by npm run prove -->\n'
const end = '<!-- Until here -->\n'

export function keepResult(name: string, engine: EngineName, result: Result): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(pathOf(name, engine), `${JSON.stringify(result, null, 2)}\n`)
}

/** Puts the latest figures into the document that people read. */
export function writeDocument(): void {
  writeFileSync(document, withFigures(readFileSync(document, 'utf8')))
}

export function withFigures(text: string): string {
  const [before, rest = ''] = text.split(start)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error(`${document} has no place for the figures`)
  return before + start + table() + end + after
}

function table(): string {
  const lines = Object.entries(proofs).map(([name, proof]) => {
    const cells = [proof.promise, proof.attack, measured(name, proof), `\`npm run prove -- ${name}\``]
    return `| ${cells.join(' | ')} |\n`
  })
  return `| Promise | Attack | Figures | Repeat |\n|---|---|---|---|\n${lines.join('')}`
}

function measured(name: string, { size }: Proof): string {
  const engines = Object.keys(size.full) as EngineName[]
  return engines.map((engine) => `${titles[engine]}: ${figuresOf(name, engine)}`).join('<br>')
}

const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

function figuresOf(name: string, engine: EngineName): string {
  const path = pathOf(name, engine)
  if (!existsSync(path)) return 'not measured yet'
  const { figures, date }: Result = JSON.parse(readFileSync(path, 'utf8'))
  return `${Object.entries(figures).map(figure).join(', ')} (${date})`
}

function figure([what, value]: [string, number | string]): string {
  return typeof value === 'number' ? `${value.toLocaleString('en')} ${what}` : `${what} ${value}`
}

const pathOf = (name: string, engine: EngineName): string => join(folder, `${name}.${engine}.json`)
