import { runScript } from '../../bench/engine.ts'
import { credentialScript } from '../../bench/fill.ts'
import type { Environment } from '../../test/support/service.ts'
import { addPerson, peopleSettings, signIn } from '../people.ts'
import type { Attempt } from '../proof.ts'
import { type Caller, fillPage, makeStage, type Stage, withDatabase } from '../stage.ts'
import { startUnread, type UnreadService } from '../unread-service.ts'
import type { Attacker, AttackRequest, Identity } from './attack-request.ts'
import { type Filled, fillCompany, fillHistory } from './fill.ts'
import { type Probe, startProbe } from './start-probe.ts'
import { createTidy } from './tidy.ts'

/** A service with the company of the adversary and another one, which can be started over. */
export interface Arena {
  readonly filled: Filled
  readonly probe: Probe
  readonly service: UnreadService
  identityOf(attacker: Attacker): Identity
  /** Ends the service, in whatever state it is, and starts another in its place; without a log where it is left off. */
  startOver(log?: 'off'): Promise<void>
  /** Takes back what requests have written: at once where it was much, and now and then otherwise. */
  tidy(request: AttackRequest, statuses: readonly number[]): Promise<void>
}

/** As many as a company may have. */
const credentialsMax = 500
/** One session alone would soon have sent more than one may. */
const sessionCount = 6
const warmMs = 300

export async function openArena(attempt: Attempt, rows: number): Promise<Arena> {
  const stage = await makeStage(attempt, ['Adversary', 'Quiet'])
  const [adversary, quiet] = stage.callers
  if (!adversary || !quiet) throw new Error('There is no company')
  const filled = { engine: attempt.engine.name, url: stage.url, companyId: adversary.companyId, rows }
  await fillCompany(filled)
  await fillSettings(filled)
  let env: Environment = { ...stage.env, ...peopleSettings, LOG: 'json' }
  let service = await startUnread(env)
  attempt.ends.defer(() => service.end())
  await fillPage(service.base, quiet)
  const identities = await makeIdentities(stage, adversary, service.base)
  const probe = startProbe(quiet)
  attempt.ends.defer(() => probe.stop())
  probe.ask(service.base)
  const tidy = createTidy(filled)
  let turn = 0
  return {
    filled,
    probe,
    tidy,
    get service() {
      return service
    },
    identityOf: (attacker) => {
      turn += 1
      return identities[attacker][turn % identities[attacker].length] ?? {}
    },
    startOver: async (log) => {
      if (log) env = { ...env, LOG: log }
      const { port } = new URL(service.base)
      await service.end()
      // Where it was, as cookies and the probe know it by its address.
      service = await startUnread({ ...env, PORT: port })
      // The first lists find everything cold.
      await probe.quiet(warmMs)
    },
  }
}

async function fillSettings(filled: Filled): Promise<void> {
  const { engine, url, companyId, rows } = filled
  const to = Math.min(credentialsMax - 1, Math.ceil(rows / 1000))
  await runScript(url, credentialScript(engine, companyId, { from: 0, to }))
  await fillHistory(filled)
}

async function makeIdentities(
  { url }: Stage,
  { companyId, headers }: Caller,
  base: string,
): Promise<Readonly<Record<Attacker, readonly Identity[]>>> {
  const sessions = await withDatabase(url, async (db) => {
    const viewer = await addPerson(db, companyId, 'viewer')
    return Promise.all(Array.from({ length: sessionCount }, () => signIn(db, base, viewer.id)))
  })
  const { 'Content-Type': _, ...credential } = headers
  return {
    key: [{ apikey: credential.apikey ?? '' }],
    credential: [credential],
    viewer: sessions.map((one) => one.headers),
  }
}
