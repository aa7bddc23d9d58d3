import { parseArgs } from 'node:util'
import { compareCluster } from './cluster.ts'
import { type Compared, compare } from './compare.ts'
import { type Engine, engines } from './engine.ts'
import { measureEvents } from './events.ts'
import { dimensions, measureGrowth } from './growth.ts'
import {
  keepClustered,
  keepCompared,
  keepEvented,
  keepGrown,
  keepLived,
  keepPeered,
  keepSoaked,
  keepStaged,
  keepStarted,
  keepWorked,
} from './keep.ts'
import { measureLive } from './live.ts'
import { requireWrk } from './load.ts'
import { compareLongList } from './long-list.ts'
import { comparePeers } from './peers.ts'
import { makePlace } from './place.ts'
import {
  clusterLine,
  eventsLine,
  growthLines,
  headings,
  linesOf,
  liveLine,
  peerLines,
  print,
  soakLine,
  stageLine,
  startLine,
  workersLine,
} from './report.ts'
import { resultsFolder } from './results.ts'
import { parseDuration, soak } from './soak.ts'
import { measureStages } from './stages.ts'
import { measureStart } from './start.ts'
import { subjectNames } from './subjects.ts'
import { compareWorkers } from './workers.ts'
import { writeDocs } from './write-docs.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    engine: { type: 'string' },
    only: { type: 'string' },
    stages: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    events: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    workers: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    soak: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const chosen = engines.filter((engine) => flags.engine === undefined || engine === flags.engine)
if (chosen.length === 0) stop(`--engine must be one of ${engines.join(', ')}, but is "${flags.engine}".`)
const parts = flags.growth ? dimensions.map(({ name }): string => name) : subjectNames
const only = flags.only?.split(',') ?? parts
const unknown = only.find((name) => !parts.includes(name))
if (unknown !== undefined) stop(`--only takes ${parts.join(', ')}, but not "${unknown}".`)

// Many short rounds, so that other load on the machine affects both sides equally.
const usual = flags.quick ? { rounds: 3, seconds: 1 } : { rounds: 13, seconds: 2 }
const pace = { ...usual, rounds: Number(flags.rounds ?? usual.rounds) }
if (!Number.isInteger(pace.rounds) || pace.rounds < 1) stop(`--rounds must be a number, but is "${flags.rounds}".`)
const longRows = flags.quick ? 100_000 : 1_000_000
const folder = resultsFolder(flags.quick)

const ends = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => ends.disposeAsync().finally(() => process.exit(130)))
}

try {
  const runs = {
    stages: runStages,
    growth: runGrowth,
    start: runStart,
    events: runEvents,
    live: runLive,
    workers: runWorkers,
    peers: runPeers,
    cluster: runCluster,
    soak: runSoak,
  }
  const asked = Object.entries(runs).filter(([name]) => flags[name as keyof typeof runs])
  for (const run of asked.length > 0 ? asked.map(([, run]) => run) : [runCompare]) {
    for (const engine of chosen) await run(engine)
  }
  if (!flags.quick) writeDocs()
} catch (error) {
  await ends.disposeAsync()
  stop(error instanceof Error ? error.message : String(error))
}
await ends.disposeAsync()

async function runCompare(engine: Engine): Promise<void> {
  requireWrk()
  if (engine === chosen[0]) {
    console.log(`wrk -t1 -c64, ${pace.rounds} rounds of ${pace.seconds} s for each, in turns; medians.\n`)
    print([headings])
  }
  for await (const row of comparedOf(engine)) {
    print(linesOf(row))
    keepCompared(folder, row)
  }
}

async function* comparedOf(engine: Engine): AsyncGenerator<Compared> {
  const wants = (name: string) => only.includes(name)
  const place = await makePlace(engine, wants('stream') ? longRows : 0, ends)
  yield* compare(place, pace, wants, ends)
  if (wants('stream')) yield await compareLongList(place, pace, ends)
}

async function runStages(engine: Engine): Promise<void> {
  for await (const row of measureStages(await makePlace(engine, 0, ends))) {
    console.log(stageLine(row))
    keepStaged(folder, row)
  }
}

async function runGrowth(engine: Engine): Promise<void> {
  for (const dimension of dimensions.filter(({ name }) => only.includes(name))) {
    const sizes = flags.quick ? dimension.sizes.slice(0, -1) : dimension.sizes
    const row = await measureGrowth(engine, { ...dimension, sizes }, ends)
    print(growthLines(row))
    keepGrown(folder, row)
  }
}

async function runStart(engine: Engine): Promise<void> {
  const row = await measureStart(await makePlace(engine, 0, ends), ends)
  console.log(startLine(row))
  keepStarted(folder, row)
}

async function runEvents(engine: Engine): Promise<void> {
  requireWrk()
  const row = await measureEvents(await makePlace(engine, 0, ends), pace, ends)
  console.log(eventsLine(row))
  keepEvented(folder, row)
}

async function runLive(engine: Engine): Promise<void> {
  const place = await makePlace(engine, 0, ends)
  for (const instances of engine === 'sqlite' ? [1] : [1, 2]) {
    const row = await measureLive(place, instances, flags.quick ? 5 : 30, ends)
    console.log(liveLine(row))
    keepLived(folder, row)
  }
}

async function runWorkers(engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  requireWrk()
  for await (const row of compareWorkers(await makePlace(engine, 0, ends), pace, ends)) {
    console.log(workersLine(row))
    keepWorked(folder, row)
  }
}

async function runPeers(engine: Engine): Promise<void> {
  // Both others need a server.
  if (engine === 'sqlite') return
  requireWrk()
  print([headings.slice(0, -1)])
  for await (const row of comparePeers(await makePlace(engine, 0, ends), pace, ends)) {
    print(peerLines(row))
    keepPeered(folder, row)
  }
}

async function runCluster(engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  requireWrk()
  for await (const row of compareCluster(pace, ends)) {
    console.log(clusterLine(row))
    keepClustered(folder, row)
  }
}

async function runSoak(engine: Engine): Promise<void> {
  requireWrk()
  const row = await soak(await makePlace(engine, 0, ends), parseDuration(flags.soak ?? ''), ends)
  console.log(soakLine(row))
  keepSoaked(folder, row)
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}
