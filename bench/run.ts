import { parseArgs } from 'node:util'
import { type Compared, compare, type Pace } from './compare.ts'
import { type Engine, engines } from './engine.ts'
import { requireWrk } from './load.ts'
import { compareLongList } from './long-list.ts'
import { makePlace } from './place.ts'
import { ratioChart } from './ratio-chart.ts'
import { headings, linesOf, textLine } from './report.ts'
import { keepChart, keepResults, resultsFolder } from './results.ts'
import { subjectNames } from './subjects.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    engine: { type: 'string' },
    only: { type: 'string' },
  },
})
const chosen = engines.filter((engine) => flags.engine === undefined || engine === flags.engine)
if (chosen.length === 0) stop(`--engine must be one of ${engines.join(', ')}, but is "${flags.engine}".`)
const only: readonly string[] = flags.only?.split(',') ?? subjectNames
const unknown = only.find((name) => !subjectNames.some((known) => known === name))
if (unknown !== undefined) stop(`--only takes ${subjectNames.join(', ')}, but not "${unknown}".`)

const pace: Pace = flags.quick ? { rounds: 3, seconds: 1 } : { rounds: 5, seconds: 5 }
const longRows = flags.quick ? 100_000 : 1_000_000
const folder = resultsFolder(flags.quick)

const ends = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => ends.disposeAsync().finally(() => process.exit(130)))
}

try {
  await compareAll(chosen)
} catch (error) {
  await ends.disposeAsync()
  stop(error instanceof Error ? error.message : String(error))
}
await ends.disposeAsync()

async function compareAll(chosen: readonly Engine[]): Promise<void> {
  requireWrk()
  console.log(`wrk -t1 -c64, ${pace.rounds} rounds of ${pace.seconds} s for each, in turns; medians.\n`)
  console.log(textLine(headings))
  for (const engine of chosen) for await (const row of rowsOf(engine)) keep(row)
}

async function* rowsOf(engine: Engine): AsyncGenerator<Compared> {
  const wants = (name: string) => only.includes(name)
  const place = await makePlace(engine, wants('stream') ? longRows : 0, ends)
  yield* compare(place, pace, wants, ends)
  if (wants('stream')) yield await compareLongList(place, pace, ends)
}

function keep(row: Compared): void {
  for (const cells of linesOf(row)) console.log(textLine(cells))
  const { rows } = keepResults(folder, 'compare', [row], ({ engine, subject }) => `${engine} ${subject}`)
  keepChart(folder, 'compare', ratioChart(rows))
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}
