import { newDatabase } from '../../test/support/database.ts'
import { residentMb, type Service, startService } from '../../test/support/service.ts'
import { type Attempt, Broken, type Figures, type Proof, requireNone } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { Attack } from './fuzz-attack.ts'
import { makeCallers } from './fuzz-callers.ts'

export const fuzz: Proof = {
  promise: 'No request causes a 500, a crash, a hang, growing memory, or an answer that reveals internals.',
  attack:
    'Requests generated from the OpenAPI document, the routes of /api and the tools of /mcp, most with valid credentials and many mutated, ' +
    'and bytes that are not valid HTTP.',
  size: { unit: 'requests', short: 1500, full: { sqlite: 600_000, postgres: 600_000 } },
  isOutside: true,
  run,
  controls: [
    {
      breaks: 'a body that is no JSON is not caught',
      notices: ': 500: ',
      file: 'src/request/parse-json.ts',
      text: 'return JSON.parse(text)\n  } catch {\n    throw invalidJson()',
      instead: 'return JSON.parse(text)\n  } catch (error) {\n    throw error\n    throw invalidJson()',
    },
  ],
}

/** Below that, memory has not settled yet. */
const settledSize = 100_000
/** The runtime counts the idle timeout in steps of four seconds. */
const patience = { idleTimeoutS: 30, closingMs: 10_000, answerMs: 30_000 }
/** A short attack shares the machine with other tests: a timer may be late, and a statement may take its 30 s. */
const shortPatience = { idleTimeoutS: 60, closingMs: 60_000, answerMs: 120_000 }

async function run({ engine, size, env, ends }: Attempt): Promise<Figures> {
  const seed = chosenSeed()
  const place = await newDatabase(engine)
  ends.defer(() => place.remove())
  const callers = await makeCallers(place.url)
  const { idleTimeoutS, closingMs, answerMs } = size >= settledSize ? patience : shortPatience
  const settings = {
    LOG: 'off',
    DEMO: 'off',
    SIGNUP: 'open',
    TRUST_PROXY: 'on',
    BASE_URL: 'http://fuzz',
    WEBHOOK_LOOPBACK: 'on',
  }
  const limits = { IDLE_TIMEOUT_S: String(idleTimeoutS), AUTH_FAILURE_LIMIT: 'none' }
  const service = await startService({ ...env, ...settings, ...limits, DATABASE_URL: place.url })
  ends.defer(async () => {
    // Asked to stop, it would wait for the connections on which half a request was sent.
    service.kill('SIGKILL')
    await service.ended
  })
  const closedMs = idleTimeoutS * 1000 + closingMs
  const attack = new Attack(callers, new URL(service.base), { seed, closedMs, answerMs })
  const { seconds, first, second } = await watched(service, attack, () => attack.run(size))
  const { tally } = attack
  requireNone(`faults (SEED=${seed})`, tally.faults)
  await attack.settle()
  requireNone(`faults (SEED=${seed})`, tally.faults)
  if (size >= settledSize && second > 1.2 * first + 10) throw new Broken(`Memory grew from ${first} to ${second} MB`)
  return {
    seed: String(seed),
    requests: attack.sent,
    'answers 2xx and 3xx': tally.answered(200, 399),
    'answers 4xx': tally.answered(400, 499),
    'answers 500': tally.answered(500, 500),
    'answers 503 and 504': tally.answered(503, 504),
    'answers 505': tally.answered(505, 505),
    'closed at once, as no HTTP': tally.closed,
    'closed after waiting for more bytes': tally.silent,
    'requests per second': Math.round(attack.sent / seconds),
    'memory in MB, first and second half': `${first.toFixed()} and ${second.toFixed()}`,
  }
}

/** How long it took, and how much memory the service held meanwhile. A service that ends is a fault, too. */
async function watched(service: Service, { tally }: Attack, work: () => Promise<void>) {
  const startedAt = performance.now()
  const memory: number[] = []
  const sampler = setInterval(() => memory.push(residentMb(service.pid)), 250)
  service.ended.then((exitCode) => {
    clearInterval(sampler)
    if (!isDone) tally.faults.push(`the service ended with exit code ${exitCode}: ${service.stderr.slice(-500)}`)
  })
  let isDone = false
  try {
    await work()
  } catch (error) {
    // What was found out before says more.
    requireNone('faults', tally.faults)
    throw error
  } finally {
    isDone = true
    clearInterval(sampler)
  }
  const half = memory.length >> 1
  const [first, second] = [medianOf(memory.slice(0, half)), medianOf(memory.slice(half))]
  return { seconds: (performance.now() - startedAt) / 1000, first, second }
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
