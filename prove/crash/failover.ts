import { startService } from '../../test/support/service.ts'
import { type Attempt, Missed, type Proof, requireNone } from '../proof.ts'
import { furnish } from '../stage.ts'
import { audit } from './ledger.ts'
import { type Pair, portOf, promote, startPair } from './pair.ts'
import { killAll } from './postgres-kill.ts'
import { startWriters } from './writers.ts'

const answersBetween = 300
const lagMs = 300

export const failover: Proof = {
  promise: 'Acknowledged writes are on the synchronous standby, and the service continues there by itself.',
  attack:
    'While 32 clients create: a standby that lags, kill -9 of the primary, promotion of the standby, move of the address.',
  size: { unit: 'failovers', short: 1, full: { postgres: 10 } },
  isOutside: true,
  run: async (attempt) => {
    const rounds: Round[] = []
    for (let at = 0; at < attempt.size; at += 1) rounds.push(await failOver(attempt))
    const sum = (pick: (round: Round) => number) => rounds.reduce((all, round) => all + pick(round), 0)
    const most = (pick: (round: Round) => number) => Math.max(...rounds.map(pick))
    return {
      failovers: attempt.size,
      'creates acknowledged': sum(({ acknowledged }) => acknowledged),
      'under way at a kill': sum(({ underWay }) => underWay),
      'cut off or refused with 503': sum(({ unsure }) => unsure),
      'other failures': 0,
      'longest promotion of the standby': `${most(({ promotionMs }) => promotionMs)} ms`,
      'longest time from the kill to the next write': `${most(({ gapMs }) => gapMs)} ms`,
      lost: 0,
      doubled: 0,
      'half done or orphaned': 0,
    }
  },
  controls: [
    {
      breaks: 'commits do not wait for the standby',
      notices: 'acknowledged rows lost',
      file: 'src/store/postgres/postgres-connection.ts',
      text: 'application_name: applicationName',
      instead: "application_name: applicationName, synchronous_commit: 'local'",
    },
  ],
}

interface Round {
  readonly acknowledged: number
  readonly underWay: number
  readonly unsure: number
  readonly promotionMs: number
  readonly gapMs: number
}

/** The service is told nothing: it knows one address, before and after. */
async function failOver({ env, ends: all }: Attempt): Promise<Round> {
  await using ends = all.use(new AsyncDisposableStack())
  const pair = await startPair(ends)
  const stage = await furnish(pair.url, env, ['Acme'])
  const [acme] = stage.callers
  if (!acme) throw new Error('There is no company')
  const service = await startService(stage.env)
  const writers = startWriters(() => service.base, acme, 'Project')
  await writers.untilAcknowledged(answersBetween)
  const unanswered = () => [...writers.sent].filter(({ acknowledged }) => !acknowledged).length
  const times = await moveToStandby(pair, unanswered, () => writers.untilAcknowledged(1))
  await writers.untilAcknowledged(answersBetween)
  await writers.stop()
  await service.stop()
  await audit(pair.standby.url, writers.sent, acme)
  requireNone(
    'statuses other than 503',
    [...writers.refused].filter(([status]) => status !== 503),
  )
  if (times.underWay === 0) throw new Missed('No request was under way at the kill')
  return { ...times, acknowledged: writers.acknowledged, unsure: unanswered() }
}

async function moveToStandby(pair: Pair, unanswered: () => number, untilWritten: () => Promise<void>) {
  // What is committed now, without the standby, must not be acknowledged.
  pair.replication.hold()
  await Bun.sleep(lagMs)
  const underWay = unanswered()
  const killedAt = performance.now()
  await killAll(pair.primary)
  const deadAt = performance.now()
  await promote(pair)
  const promotionMs = Math.round(performance.now() - deadAt)
  pair.address.leadTo(portOf(pair.standby.url))
  await untilWritten()
  return { underWay, promotionMs, gapMs: Math.round(performance.now() - killedAt) }
}
