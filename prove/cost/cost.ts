import { type Attempt, Broken, type Figures, type Proof } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { openArena } from './arena.ts'
import { type Attacker, attackers, describeRequest, distinct } from './attack-request.ts'
import type { Find } from './confirm.ts'
import { controls } from './controls.ts'
import { largeSeeds } from './large-seeds.ts'
import { amountsFor, limitsFor } from './limits.ts'
import { keepRegressions, knownRequests } from './regressions.ts'
import { type Searched, search } from './search.ts'
import { seeds } from './seeds.ts'

export const cost: Proof = {
  promise:
    'No single request keeps another company waiting: a list 100 ms at most, and 20 ms where the request has no secret; a create six seconds, because SQLite writes for one at a time; all processes of the service hold 512 MB at most.',
  attack:
    'A search for the worst request: it starts from the worst that are known, changes and mixes them, and goes on from those that stall another company most or fill most memory; with a key alone, with credentials, and as a viewer or an owner in the settings app, of a company of up to 1,000,000 projects and of one whose rows have as many and as long fields as they may, with events and webhooks. Live streams that are open at the same time count as one request. The log of the service is a pipe that nobody reads. What exceeds a limit once is tried again, and counts if most of five tries exceed it.',
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
  const arena = await openArena(attempt, amountsFor(seconds))
  const known = distinct([...seeds, ...knownRequests, ...largeSeeds])
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
  create: 'ms of a create of another company',
  memory: 'MB of memory',
  log: 'ms and no end of another company while nobody reads the log',
} as const

function figuresOf({ population, tried, quietMs, memoryMb }: Searched, seed: number, rows: number): Figures {
  const stallOf = (attacker: Attacker): string =>
    `${Math.round(population.worst(attacker, 'stall')?.measured.stallMs ?? 0)} ms`
  const creates = attackers.map((attacker) => population.worst(attacker, 'create')?.measured.createMs ?? 0)
  return {
    seed: String(seed),
    'requests tried': tried,
    'projects in the company of the adversary': rows,
    'p99 of a list in quiet': `${quietMs.toFixed(1)} ms`,
    'longest stall of one try, by a key alone': stallOf('key'),
    'longest stall of one try, by a credential': stallOf('credential'),
    'longest stall of one try, by a narrowed credential': stallOf('narrowed'),
    'longest stall of one try, by a viewer': stallOf('viewer'),
    'longest stall of one try, by an owner': stallOf('owner'),
    'longest stall of a create': `${Math.round(Math.max(...creates))} ms`,
    'most memory of all processes': `${Math.round(memoryMb)} MB`,
  }
}
