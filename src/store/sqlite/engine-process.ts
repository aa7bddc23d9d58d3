import { Database as SqliteEngine, type Statement } from 'bun:sqlite'
import { setPriority } from 'node:os'
import type { Row, Rows } from '../database.ts'
import type { Value } from '../sql.ts'
import type { EngineReply, EngineRequest, Rendered } from './engine-message.ts'
import { defineFunctions, type RowBudget, TooLarge } from './sqlite-functions.ts'
import { lockedMaxMs } from './sqlite-locks.ts'
import { explainSqlite } from './sqlite-problems.ts'

/** A lower priority than the service's own: reads here must not slow down its requests. */
const readerPriority = 10
/** A process that uses more is replaced, which frees the memory left behind by a large read. */
const residentMax = 96 * 1024 * 1024
/** The limit of SQLite's own memory. */
const heapBytesMax = 64 * 1024 * 1024

/** Runs statements for the service until the service ends. */
export function runEngineProcess(): void {
  let run: ((request: EngineRequest) => readonly Rows[]) | null = null
  process.on('disconnect', () => process.exit())
  // A terminal sends these to the whole process group; the service decides when this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  process.on('message', (request: EngineRequest) => {
    sendReply(
      answer(() => {
        if (request.kind === 'open') run = open(request)
        return run?.(request) ?? []
      }),
    )
  })
}

const sendReply = (reply: EngineReply) => process.send?.(reply)

function answer(work: () => readonly Rows[]): EngineReply {
  try {
    return { kind: 'done', results: work(), isSpent: process.memoryUsage.rss() > residentMax }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', problem: explainSqlite(error), message }
  }
}

function open({
  path,
  isWriter,
}: Extract<EngineRequest, { kind: 'open' }>): (request: EngineRequest) => readonly Rows[] {
  const engine = new SqliteEngine(path, isWriter ? { readwrite: true, strict: true } : { readonly: true, strict: true })
  engine.run(`pragma busy_timeout = ${lockedMaxMs}`)
  engine.run(`pragma hard_heap_limit = ${heapBytesMax}`)
  if (isWriter) {
    engine.run('pragma synchronous = full')
    engine.run('pragma foreign_keys = on')
    // Others wait for each commit. The log is copied when none is under way: see `checkpoints.ts`.
    engine.run('pragma wal_autocheckpoint = 0')
  } else setPriority(readerPriority)
  const budget = defineFunctions(engine)
  return (request) => {
    switch (request.kind) {
      case 'read':
        return [readWithin(engine, budget, request.statement, request.bytesMax)]
      case 'run':
        return request.statements.map((statement) => runWhole(engine, budget, statement, request.bytesMax))
      case 'begin':
        engine.run('begin immediate')
        return []
      case 'commit':
      case 'rollback':
        if (engine.inTransaction) engine.run(request.kind)
        return []
      case 'open':
        return []
    }
  }
}

/** The first rows, ending with the one with whose text `bytesMax` is exceeded. */
function readWithin(engine: SqliteEngine, budget: RowBudget, { text, values }: Rendered, bytesMax: number): Rows {
  using statement = engine.prepare(text)
  const rows: Row[] = []
  let bytes = 0
  budget.start()
  const isNamed = statement.columnNames[0] === 'text'
  for (const row of isNamed ? rowsOf(statement, values) : allOf(statement, values)) {
    rows.push(row)
    bytes += bytesOf(row[0])
    if (bytes > bytesMax) break
    budget.start()
  }
  return rows
}

/** All rows of a statement that may write. Those that it shows are named, and read one by one: no more is held than may be shown. */
function runWhole(engine: SqliteEngine, budget: RowBudget, { text, values }: Rendered, bytesMax: number): Rows {
  using statement = engine.prepare(text)
  budget.start()
  const isNamed = statement.columnNames[0] === 'text'
  const found = isNamed ? rowsOf(statement, values) : allOf(statement, values)
  const rows: Row[] = []
  let bytes = 0
  for (const row of found) {
    rows.push(row)
    bytes += row.reduce<number>((sum, value) => sum + bytesOf(value), 0)
    if (bytes > bytesMax) throw new TooLarge()
  }
  return rows
}

// Values are bound by position; the driver's type wants a tuple.
const allOf = (statement: Statement, values: Rendered['values']): readonly Row[] =>
  statement.values(...(values as string[])) as Row[]

/** One by one. Only of named columns: the driver gives objects, in which a column called `1` comes first. */
function* rowsOf(statement: Statement, values: Rendered['values']): Generator<Row> {
  for (const found of statement.iterate(...(values as string[]))) yield Object.values(found as Record<string, Value>)
}

const bytesOf = (value: Value | undefined): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0)
