import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/store/open.ts'
import { companyOnEachNode, list, type Placed } from '../../test/citus/support.ts'
import { listNodes, makeDistributedPlace, type NodeProcess, processOf } from '../../test/support/citus.ts'
import { startService } from '../../test/support/service.ts'
import { type Attempt, Missed, type Proof, requireNone } from '../proof.ts'
import { audit } from './ledger.ts'
import { startWriters, type Writers } from './writers.ts'

const answersBetween = 300
/** How long a node is away or silent. */
const awayMs = 8000
const probePauseMs = 5

/** Each load has one of them. */
const faults = (['worker', 'coordinator', 'worker'] as const).flatMap((role) =>
  (['kill', 'hold'] as const).map((how) => ({ role, how })),
)

export const cluster: Proof = {
  promise:
    'On a Citus cluster, what was acknowledged survives a node that is killed or silent. While a worker is away, the companies of others are served.',
  attack:
    'Six loads, each with 32 clients for a company on each node that create: kill -9 or SIGSTOP of a worker or of the coordinator for 8 s. Another client lists, for a company on a node that lives.',
  size: { unit: 'loads', short: null, full: { postgres: 6 } },
  needs: 'CITUS_URL',
  isOutside: true,
  run: async (attempt) => {
    const rounds: Round[] = []
    for (let at = 0; at < attempt.size; at += 1)
      rounds.push(await runLoad(attempt, faults[at % faults.length] ?? { role: 'worker', how: 'kill' }))
    const sum = (pick: (round: Round) => number) => rounds.reduce((all, round) => all + pick(round), 0)
    const most = (pick: (round: Round) => number) => Math.round(Math.max(...rounds.map(pick)))
    return {
      loads: attempt.size,
      'creates acknowledged': sum(({ acknowledged }) => acknowledged),
      'under way at a fault': sum(({ underWay }) => underWay),
      'answers of 503 meanwhile': sum(({ refused }) => refused),
      'other failures': 0,
      'lists of companies on living nodes while a worker was away': sum(({ probes }) => probes),
      'of these refused': 0,
      'slowest p99 of these': `${most(({ p99 }) => p99)} ms`,
      'slowest recovery': `${most(({ recoveryMs }) => recoveryMs)} ms`,
      lost: 0,
      doubled: 0,
      'half done or orphaned': 0,
    }
  },
  controls: [
    {
      breaks: 'nodes commit without waiting for their log',
      notices: 'acknowledged rows lost',
      size: 1,
      file: 'src/store/postgres/postgres-connection.ts',
      text: 'application_name: applicationName',
      instead: "application_name: applicationName, synchronous_commit: 'off'",
    },
    {
      breaks: 'the companies of all nodes share the connections to the coordinator',
      notices: 'lists of companies on living nodes refused or late',
      size: 2,
      file: 'src/store/cluster/spread.ts',
      text: 'const shard = currentMap().shardOf(companyId)',
      instead: 'const shard = currentMap().shardOf(companyId) && null',
    },
  ],
}

interface Round {
  readonly acknowledged: number
  readonly underWay: number
  readonly refused: number
  readonly probes: number
  readonly p99: number
  readonly recoveryMs: number
}

async function runLoad({ env, ends: all }: Attempt, { role, how }: (typeof faults)[number]): Promise<Round> {
  await using ends = all.use(new AsyncDisposableStack())
  const place = await makeDistributedPlace()
  ends.defer(() => place.remove())
  const placed = await makeCompanies(place.url)
  const service = await startService({ DATABASE_URL: place.url, DEMO: 'off', LOG: 'off', ...env })
  const writers = placed.map((one) => startWriters(() => service.base, callerOf(one), `Project ${one.port}`))
  const [lost, living] = placed
  const [ofLost] = writers
  if (!lost || !living || !ofLost) throw new Error('The cluster has fewer than two workers')
  for (const one of writers) await one.untilAcknowledged(answersBetween)
  const node = await processOf(role === 'worker' ? { host: '127.0.0.1', port: lost.port } : await coordinator())
  const underWay = ofLost.underWay
  const probe = startProbe(service.base, living)
  const recoveryMs = await strike(node, how, ofLost)
  const { latencies, refused } = await probe.stop()
  if (role === 'worker') requireNone('lists of companies on living nodes refused or late', refused)
  for (const one of writers) await one.untilAcknowledged(answersBetween)
  await Promise.all(writers.map((one) => one.stop()))
  await service.stop()
  await audit(
    place.url,
    writers.flatMap(({ sent }) => [...sent]),
    ...placed.map(callerOf),
  )
  const statuses = writers.flatMap((one) => [...one.refused])
  requireNone(
    'statuses other than 503',
    statuses.filter(([status]) => status !== 503),
  )
  if (underWay === 0) throw new Missed('No request was under way at the fault')
  return {
    acknowledged: writers.reduce((sum, one) => sum + one.acknowledged, 0),
    underWay,
    refused: statuses.reduce((sum, [, count]) => sum + count, 0),
    probes: role === 'worker' ? latencies.length : 0,
    p99: role === 'worker' ? (latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0) : 0,
    recoveryMs,
  }
}

/** A company on each worker. */
async function makeCompanies(url: string): Promise<Placed[]> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  try {
    return await companyOnEachNode(db)
  } finally {
    await db.close()
  }
}

const callerOf = ({ id, bid, headers }: Placed) => ({ companyId: id, bid, headers })

async function coordinator() {
  const [first] = await listNodes()
  if (!first) throw new Error('There is no coordinator')
  return first
}

/** The node is away for some time. How long its company then waits for the first answer, in ms. */
async function strike(node: NodeProcess, how: 'kill' | 'hold', writers: Writers): Promise<number> {
  if (how === 'kill') await node.kill()
  else node.hold()
  try {
    await Bun.sleep(awayMs)
  } finally {
    if (how === 'kill') await node.restart()
    else node.release()
  }
  const backAt = performance.now()
  await writers.untilAcknowledged(1)
  return performance.now() - backAt
}

/** A list that took this long was held up by the node that is away. */
const lateMs = 3000

/** Lists again and again, for one company. */
function startProbe(base: string, placed: Placed) {
  const latencies: number[] = []
  const refused: string[] = []
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      const startedAt = performance.now()
      const answer = await list(base, placed)
      await answer.text()
      const tookMs = performance.now() - startedAt
      latencies.push(tookMs)
      if (answer.status !== 200 || tookMs > lateMs) refused.push(`${answer.status} after ${Math.round(tookMs)} ms`)
      await Bun.sleep(probePauseMs)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await running
      return { latencies, refused }
    },
  }
}
