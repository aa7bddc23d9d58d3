import { parseArgs } from 'node:util'
import { type Served, startBare, startService } from './child.ts'
import { type Load, type Measured, measure, requireWrk } from './load.ts'
import { type Engine, engines, makeStage, type Stage } from './stage.ts'

/** Measures the service against a bare handler that does the same work and nothing else, turn by turn in one run. */
const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, engine: { type: 'string' } },
})
const chosen = engines.filter((engine) => flags.engine === undefined || engine === flags.engine)
if (chosen.length === 0) stop(`--engine must be one of ${engines.join(', ')}, but is "${flags.engine}".`)
const pace = flags.quick ? { rounds: 3, seconds: 2 } : { rounds: 5, seconds: 5 }

const ends = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => ends.disposeAsync().finally(() => process.exit(130)))
}

try {
  requireWrk()
  console.log(
    `wrk -t1 -c64, ${pace.rounds} rounds of ${pace.seconds} s for each; medians, and the median of the rounds' ratios.\n`,
  )
  console.log(line(['engine', 'request', 'who', 'req/s', 'p50 ms', 'p99 ms', 'service/bare']))
  for (const engine of chosen) await compare(engine)
} catch (error) {
  await ends.disposeAsync()
  stop(error instanceof Error ? error.message : String(error))
}
await ends.disposeAsync()

async function compare(engine: Engine): Promise<void> {
  const stage = await makeStage(engine, ends)
  const service = await startService(stage, ends)
  const bare = await startBare(stage, ends)
  await requireSameList(stage, service, bare)
  const loads: readonly Load[] = [
    { name: 'list-20', caller: stage.reader, body: null },
    { name: 'create', caller: stage.writer, body: JSON.stringify({ bid_id: stage.bidId, project_name: 'A project' }) },
  ]
  for (const load of loads) print(engine, load, await takeTurns(load, service, bare))
}

/** Otherwise it would not be the same work. */
async function requireSameList({ reader }: Stage, service: Served, bare: Served): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [service, bare].map(async ({ url }) => {
      const response = await fetch(url, { headers: reader })
      return `${response.status} ${await response.text()}`
    }),
  )
  if (ours !== theirs) throw new Error(`The bodies of the list differ:\n${ours}\n${theirs}`)
  if (ours?.split('"id"').length !== 21) throw new Error(`The list should have 20 rows:\n${ours}`)
}

interface Turn {
  readonly service: Measured
  readonly bare: Measured
}

async function takeTurns(load: Load, service: Served, bare: Served): Promise<Turn[]> {
  for (const served of [service, bare]) await measure(served.url, load, 1)
  const turns: Turn[] = []
  for (let round = 0; round < pace.rounds; round += 1) {
    // Who comes first changes, so that neither always meets the state that the other leaves.
    const first = await measure((round % 2 === 0 ? service : bare).url, load, pace.seconds)
    const second = await measure((round % 2 === 0 ? bare : service).url, load, pace.seconds)
    turns.push(round % 2 === 0 ? { service: first, bare: second } : { service: second, bare: first })
  }
  return turns
}

function print(engine: Engine, { name }: Load, turns: readonly Turn[]): void {
  const ratio = median(turns.map(({ service, bare }) => service.perSecond / bare.perSecond))
  for (const who of ['service', 'bare'] as const) {
    const of = (member: keyof Measured) => median(turns.map((turn) => turn[who][member]))
    const figures = [of('perSecond').toFixed(0), of('p50Ms').toFixed(2), of('p99Ms').toFixed(2)]
    console.log(line([engine, name, who, ...figures, who === 'service' ? ratio.toFixed(2) : '']))
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at < 3 ? cell.padEnd(10) : cell.padStart(14)))
    .join('')
    .trimEnd()
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}
