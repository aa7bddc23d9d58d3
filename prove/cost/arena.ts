import { runScript } from '../../bench/engine.ts'
import { credentialScript } from '../../bench/fill.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { accessOf, type Narrowing } from '../../src/keys/narrowing.ts'
import type { Role } from '../../src/people/roles.ts'
import type { Database } from '../../src/store/database.ts'
import { freePort } from '../../test/support/postgres.ts'
import type { Environment } from '../../test/support/service.ts'
import { addPerson, peopleSettings, signIn } from '../people.ts'
import type { Attempt } from '../proof.ts'
import { type Caller, fillPage, makeStage, type Stage, withDatabase } from '../stage.ts'
import { startUnread, type UnreadService } from '../unread-service.ts'
import type { Attacker, AttackRequest, Identity } from './attack-request.ts'
import { type Filled, fillCompany, fillHistory } from './fill.ts'
import { fillLarge } from './fill-large.ts'
import { type Amounts, quietPatienceFor } from './limits.ts'
import { narrowings } from './narrowings.ts'
import { type Probe, startProbe } from './start-probe.ts'
import { createTidy } from './tidy.ts'

/** A service with the companies of the adversary and another one, which can be started over. */
export interface Arena {
  readonly filled: Filled
  readonly probe: Probe
  readonly service: UnreadService
  /** Those with which the copies of a request are sent, by turns. */
  identitiesOf(request: AttackRequest): readonly Identity[]
  /** Ends the service, in whatever state it is, and starts another in its place; without a log where it is left off. */
  startOver(log?: 'off'): Promise<void>
  /** Takes back what requests have written: at once where it was much, and now and then otherwise. */
  tidy(request: AttackRequest, statuses: readonly number[]): Promise<void>
}

/** As many as a company may have beside those of the attackers. */
const credentialsMax = 450
/** One session alone would soon have sent more than one may. */
const sessionCount = 6
const warmMs = 300

export async function openArena(attempt: Attempt, amounts: Amounts): Promise<Arena> {
  const stage = await makeStage(attempt, ['Adversary', 'Adversary with large rows', 'Quiet'])
  const [many, few, quiet] = stage.callers
  if (!many || !few || !quiet) throw new Error('There is no company')
  const place = { engine: attempt.engine.name, url: stage.url }
  const filled = { ...place, companyId: many.companyId, rows: amounts.rows }
  await fillCompany(filled)
  await fillSettings(filled)
  const large = await fillLarge({ ...place, companyId: few.companyId }, amounts)
  let env: Environment = { ...stage.env, ...peopleSettings, WEBHOOK_LOOPBACK: 'on', LOG: 'json' }
  let service = await startUnread({ ...env, PORT: String(await freePort()) })
  attempt.ends.defer(() => service.end())
  await fillPage(service.base, quiet)
  const identities = {
    many: await makeIdentities(stage, many, service.base),
    large: await makeIdentities(stage, few, service.base),
  }
  const probe = startProbe(quiet, quietPatienceFor(attempt.size))
  attempt.ends.defer(() => probe.stop())
  probe.ask(service.base)
  let turn = 0

  async function whileStopped(work: () => Promise<void>): Promise<void> {
    const { port } = new URL(service.base)
    await service.end()
    await work()
    // Where it was, as cookies and the probe know it by its address.
    service = await startUnread({ ...env, PORT: port })
    // The first lists find everything cold.
    await probe.quiet(warmMs)
  }

  return {
    filled,
    probe,
    tidy: createTidy(filled, large, { whileStopped }),
    startOver: (log) =>
      whileStopped(async () => {
        if (log) env = { ...env, LOG: log }
      }),
    get service() {
      return service
    },
    identitiesOf: ({ as, company }) => {
      turn += 1
      const all = identities[company ?? 'many'][as]
      return as === 'narrowed' ? rotated(all, turn) : rotated(all, turn).slice(0, 1)
    },
  }
}

const rotated = <Item>(items: readonly Item[], by: number): readonly Item[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
]

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
  const [narrowed, viewer, owner] = await withDatabase(url, async (db) => [
    await Promise.all(narrowings.map((narrowing) => makeNarrowed(db, companyId, narrowing))),
    await makeSessions(db, { companyId, base, role: 'viewer' }),
    await makeSessions(db, { companyId, base, role: 'owner' }),
  ])
  const { 'Content-Type': _, ...credential } = headers
  return { key: [{ apikey: credential.apikey ?? '' }], credential: [credential], narrowed, viewer, owner }
}

async function makeNarrowed(db: Database, companyId: string, narrowing: Narrowing): Promise<Identity> {
  const access = accessOf(narrowing.may ?? [])
  const made = await createCredential(db, { companyId, name: 'Narrowed', access, expiresAt: null, narrowing })
  return { apikey: made.apiKey, 'X-API-Secret': made.apiSecret }
}

interface Sessions {
  readonly companyId: string
  readonly base: string
  readonly role: Role
}

async function makeSessions(db: Database, { companyId, base, role }: Sessions): Promise<readonly Identity[]> {
  const person = await addPerson(db, companyId, role)
  const sessions = await Promise.all(Array.from({ length: sessionCount }, () => signIn(db, base, person.id)))
  return sessions.map(({ headers }) => headers)
}
