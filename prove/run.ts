import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { keepResult, writeDocument } from './document.ts'
import type { EngineName, Proof } from './proof.ts'
import { findProof, proofs } from './proofs.ts'
import { hasNoticed, type Outcome, tryControl, tryProof } from './try-proof.ts'

/** Tries to break every promise, or those that are named; with --control, breaks the guards first and wants to see it noticed. */
const { values: flags, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '100%' },
    engine: { type: 'string' },
    control: { type: 'boolean', default: false },
  },
})
if (!/^[1-9]\d*%?$/.test(flags.size)) stop('--size must be a number, or a share of the full size such as 10%.')
if (flags.engine !== undefined && !['sqlite', 'postgres'].includes(flags.engine))
  stop(`--engine must be sqlite or postgres, but is "${flags.engine}".`)

interface Line {
  readonly name: string
  readonly engine: EngineName
  readonly tried: string
  readonly isGood: boolean
  readonly seconds: number
}

const chosen = (named.length > 0 ? named : Object.keys(proofs).filter(canBeTried)).map((name) => ({
  name,
  proof: find(name),
}))
const postgres = process.env.TEST_DATABASE_URL ? null : await startPostgres('on')
const postgresUrl = process.env.TEST_DATABASE_URL ?? postgres?.url
const lines: Line[] = []
const stopped = new AbortController()
const { signal } = stopped
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort())
try {
  for (const { name, proof } of chosen) {
    for (const engine of enginesOf(proof)) {
      if (flags.control) await runControls(name, proof, engine)
      else await runProof(name, proof, engine)
    }
  }
} finally {
  await postgres?.stop()
}
if (!flags.control) writeDocument()
printTable()
process.exit(lines.length > 0 && lines.every(({ isGood }) => isGood) ? 0 : 1)

async function runProof(name: string, proof: Proof, engine: EngineName): Promise<void> {
  const full = proof.size.full[engine] ?? 0
  const size = flags.size.endsWith('%') ? Math.ceil((full * parseInt(flags.size, 10)) / 100) : Number(flags.size)
  const tried = `${size} ${proof.size.unit}`
  console.log(`\n${name} (${engine}), ${tried}: ${proof.promise}`)
  const { outcome, seconds } = await timed(() => tryProof({ name, engine, size, postgresUrl, signal }))
  if (outcome.kind === 'kept') {
    for (const [what, figure] of Object.entries(outcome.figures)) console.log(`  ${what}: ${figure}`)
    const date = new Date().toISOString().slice(0, 10)
    keepResult(name, engine, { size, unit: proof.size.unit, seconds, date, figures: outcome.figures })
  } else console.log(`  ${outcome.kind.toUpperCase()}: ${outcome.how}`)
  lines.push({ name, engine, tried, isGood: outcome.kind === 'kept', seconds })
}

async function runControls(name: string, proof: Proof, engine: EngineName): Promise<void> {
  for (const control of proof.controls.filter(({ engines }) => engines?.includes(engine) ?? true)) {
    console.log(`\n${name} (${engine}), control: ${control.breaks}`)
    const size = control.size ?? proof.size.short ?? proof.size.full[engine] ?? 0
    const { outcome, seconds } = await timed(() => tryControl({ name, engine, size, postgresUrl, signal }, control))
    const isGood = hasNoticed(outcome, control)
    console.log(`  ${isGood ? 'noticed' : 'NOT NOTICED'}: ${outcome.kind === 'kept' ? 'all seems well' : outcome.how}`)
    lines.push({ name, engine, tried: `control: ${control.breaks}`, isGood, seconds })
  }
}

async function timed(attempt: () => Promise<Outcome>): Promise<{ outcome: Outcome; seconds: number }> {
  const startedAt = performance.now()
  const outcome = await attempt()
  signal.throwIfAborted()
  return { outcome, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

function enginesOf({ size }: Proof): EngineName[] {
  const all = Object.keys(size.full) as EngineName[]
  return all.filter((engine) => flags.engine === undefined || engine === flags.engine)
}

function printTable(): void {
  console.log()
  for (const { name, engine, tried, isGood, seconds } of lines)
    console.log(
      `${isGood ? 'ok     ' : 'NOT OK '}${name.padEnd(16)}${engine.padEnd(10)}${`${seconds} s`.padStart(7)}  ${tried}`,
    )
}

function canBeTried(name: string): boolean {
  const { needs } = findProof(name)
  if (needs === undefined || process.env[needs]) return true
  console.log(`${name} is left out: it needs ${needs}.`)
  return false
}

function find(name: string): Proof {
  try {
    return findProof(name)
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}
