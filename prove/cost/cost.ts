import { type Attempt, Broken, type Figures, type Proof } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { openArena } from './arena.ts'
import { type attackers, describeRequest, distinct } from './attack-request.ts'
import type { Find } from './confirm.ts'
import { controls } from './controls.ts'
import { limitsFor, rowsFor } from './limits.ts'
import { keepRegressions, knownRequests } from './regressions.ts'
import { type Searched, search } from './search.ts'
import { seeds } from './seeds.ts'

export const cost: Proof = {
  promise:
    'No single request keeps another company waiting: 100 ms at most, and 20 ms where it has no secret; all processes of the service hold 512 MB at most.',
  attack:
    'A search for the worst request: it starts from the worst that are known, changes and mixes them, and goes on from those that stall another company most or fill most memory; with a key alone, with the credential of a company of up to 1,000,000 projects, and as a viewer of the settings app. Its log is a pipe that nobody reads. What exceeds a limit once is tried again, and counts if most of five tries exceed it.',
  size: { unit: 'seconds', short: 5, full: { sqlite: 1800, postgres: 1800 } },
  isOutside: true,
  run,
  controls,
}

/** Of a run that is long enough for what it finds to be worth keeping. */
const keptSeconds = 60

async function run(attempt: Attempt): Promise<Figures> {
  const { size: seconds, engine } = attempt
  const seed = chosenSeed()
  const limits = limitsFor(seconds)
  const arena = await openArena(attempt, rowsFor(seconds))
  const known = distinct([...knownRequests, ...seeds])
  const isKept = seconds >= keptSeconds && Object.keys(attempt.env).length === 0
  const searched = await search({ arena, limits, seed, seconds, known, findsMax: isKept ? 5 : 1 })
  if (isKept) keepRegressions(engine.name, searched.finds)
  if (searched.finds.length > 0)
    throw new Broken(`${searched.finds.map(describeFind).join('; ')} (SEED=${seed}, after ${searched.tried} requests)`)
  return figuresOf(searched, seed, arena.filled.rows)
}

const describeFind = ({ request, what, amount, isTogether }: Find): string =>
  `${Math.round(amount)} ${units[what]} by ${isTogether ? 'many requests, the last of them ' : ''}${describeRequest(request)}`

const units = {
  stall: 'ms of another company',
  memory: 'MB of memory',
  log: 'ms and no end of another company while nobody reads the log',
} as const

function figuresOf({ population, tried, quietMs, memoryMb }: Searched, seed: number, rows: number): Figures {
  const stallOf = (attacker: (typeof attackers)[number]): string =>
    `${Math.round(population.worst(attacker, 'stall')?.measured.stallMs ?? 0)} ms`
  return {
    seed: String(seed),
    'requests tried': tried,
    'projects in the company of the adversary': rows,
    'p99 of a list in quiet': `${quietMs.toFixed(1)} ms`,
    'longest stall of one try, by a key alone': stallOf('key'),
    'longest stall of one try, by a credential': stallOf('credential'),
    'longest stall of one try, by a viewer': stallOf('viewer'),
    'most memory of all processes': `${Math.round(memoryMb)} MB`,
  }
}
