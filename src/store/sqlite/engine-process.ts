import { Database as SqliteEngine } from 'bun:sqlite'
import { setPriority } from 'node:os'
import type { Row, Rows } from '../database.ts'
import type { Rendered, Said, Told } from './engine-message.ts'
import { defineFunctions, type RowBudget, TooLarge } from './sqlite-functions.ts'
import { explainSqlite } from './sqlite-problems.ts'

/** Reads must not take the processor from the requests that wait for the service itself. */
const readerPriority = 10
/** Memory that a large read has left behind goes back with the process. */
const residentMax = 96 * 1024 * 1024
/** What the engine itself may take for one statement. */
const heapBytesMax = 64 * 1024 * 1024
const lockedMaxMs = 5000

/** Runs statements for the service for as long as the service is there. */
export function runEngineProcess(): void {
  let run: ((told: Told) => readonly Rows[]) | null = null
  process.on('disconnect', () => process.exit())
  // A terminal sends these to everybody; the service decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.on('message', (told: Told) => {
    say(
      answer(() => {
        if (told.kind === 'open') run = open(told)
        return run?.(told) ?? []
      }),
    )
  })
}

const say = (said: Said) => process.send?.(said)

function answer(work: () => readonly Rows[]): Said {
  try {
    return { kind: 'done', results: work(), isSpent: process.memoryUsage.rss() > residentMax }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', problem: explainSqlite(error), message }
  }
}

function open({ path, isWriter }: Extract<Told, { kind: 'open' }>): (told: Told) => readonly Rows[] {
  const engine = new SqliteEngine(path, isWriter ? { readwrite: true, strict: true } : { readonly: true, strict: true })
  engine.run(`pragma busy_timeout = ${lockedMaxMs}`)
  engine.run(`pragma hard_heap_limit = ${heapBytesMax}`)
  if (isWriter) {
    engine.run('pragma synchronous = full')
    engine.run('pragma foreign_keys = on')
  } else setPriority(readerPriority)
  const budget = defineFunctions(engine)
  return (told) => {
    switch (told.kind) {
      case 'read':
        return [readWithin(engine, budget, told.statement, told.bytesMax)]
      case 'run':
        return told.statements.map((statement) => runWhole(engine, budget, statement, told.bytesMax))
      case 'begin':
        engine.run('begin immediate')
        return []
      case 'commit':
      case 'rollback':
        if (engine.inTransaction) engine.run(told.kind)
        return []
      case 'open':
        return []
    }
  }
}

/** The first rows, up to the one with which they exceed `bytesMax`. */
function readWithin(engine: SqliteEngine, budget: RowBudget, { text, values }: Rendered, bytesMax: number): Rows {
  using statement = engine.prepare(text)
  const rows: Row[] = []
  let bytes = 0
  budget.start()
  // Values are bound by position; the driver's type wants a tuple.
  for (const found of statement.iterate(...(values as string[]))) {
    const row = Object.values(found as Record<string, Row[number]>)
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes > bytesMax) break
    budget.start()
  }
  return rows
}

/** All rows of a statement that may write. */
function runWhole(engine: SqliteEngine, budget: RowBudget, { text, values }: Rendered, bytesMax: number): Rows {
  using statement = engine.prepare(text)
  budget.start()
  const rows = statement.values(...(values as string[])) as Row[]
  if (rows.reduce((sum, row) => sum + bytesOf(row), 0) > bytesMax) throw new TooLarge()
  return rows
}

const bytesOf = (row: Row): number => (typeof row[0] === 'string' ? Buffer.byteLength(row[0]) : 0)
