import { failure } from '../errors.ts'
import type { Plan, WritePlan } from '../plan/plan.ts'
import { timestampText } from '../types/timestamp-text.ts'
import type { CompanyStore, Database, Right, Steps, Store } from './database.ts'
import { execute } from './execute.ts'
import { effortOfWrite, type PreparedWrite, prepareWrite, refuseUnwanted, resultOf } from './execute-write.ts'
import { openKeptAnswers } from './kept-answers.ts'
import type { Result } from './result.ts'
import { isUnknown, untilKnown } from './settle.ts'
import { integer, type Sql, sql } from './sql.ts'
import { translate } from './translate.ts'

/** What a client calls a request so that it can send it again, and what tells it from others of the same name. */
export interface Once {
  readonly key: string
  readonly fingerprint: string
}

/** An answer that can be given again, byte for byte. */
export interface Sealed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Repeatable {
  readonly answer: Sealed
  readonly isRepeat: boolean
}

/** How long a request can be repeated. */
const keptMs = 24 * 3_600_000

/** Runs a plan, or answers as when it was first run. The record of it is written together with its effect, or not at all. */
export async function executeOnce(
  db: Database,
  plan: Plan,
  once: Once,
  seal: (result: Result) => Sealed,
  right?: Right,
): Promise<Repeatable> {
  if (plan.kind === 'nothing' || plan.kind === 'read') {
    return { answer: seal(await execute(db, plan)), isRepeat: false }
  }
  const own = db.forCompany(plan.companyId)
  const write = prepareWrite(plan, own.dialect, await effortOfWrite(own, plan))
  const sent = { ...once, write, now: new Date(), wasLost: false, right }
  return runOrRepeat(own, plan, sent, seal).catch((error) => {
    if (!isUnknown(error)) throw error
    // A lost attempt is known by its record: there is one, or nothing was written.
    return untilKnown(() => runOrRepeat(own, plan, { ...sent, wasLost: true }, seal), error.cause)
  })
}

/** When it was first sent to the database, and whether it was lost on the way. */
interface Sent extends Once {
  readonly write: PreparedWrite
  readonly now: Date
  readonly wasLost: boolean
  readonly right: Right | undefined
}

async function runOrRepeat(
  db: CompanyStore,
  plan: WritePlan,
  sent: Sent,
  seal: (result: Result) => Sealed,
): Promise<Repeatable> {
  // A record may vanish between the two looks at it; it does so at most once a day.
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await runFirst(db, plan, sent, seal)
    if (answer) return { answer, isRepeat: false }
    const known = await findRecord(db, plan.companyId, sent)
    if (known) return known
  }
  throw failure.idempotencyInProgress()
}

/** Claims the key, does the work, and seals its answer, in one transaction. null where the key is taken. */
async function runFirst(
  db: CompanyStore,
  plan: WritePlan,
  { key, fingerprint, write, now, right }: Sent,
  seal: (result: Result) => Sealed,
): Promise<Sealed | null> {
  const { companyId } = plan
  const ends = timestampText(new Date(now.getTime() - keptMs))
  const kept = await openKeptAnswers(db, companyId)
  let answer: Sealed | null = null

  function* work(): Steps {
    const claimed = yield [
      ...db.dialect.waitBriefly,
      sql`delete from idempotency where company_id = ${companyId} and key = ${key} and created_at < ${ends}`,
      deleteSome(companyId, ends),
      sql`insert into idempotency (company_id, key, fingerprint, created_at)
          values (${companyId}, ${key}, ${fingerprint}, ${timestampText(now)})
          on conflict (company_id, key) do nothing returning key`,
    ]
    if (claimed.at(-1)?.length === 0) return
    kept.requireRoom()
    const results = yield write.statements
    refuseUnwanted(plan, results)
    const result = resultOf(plan, results)
    kept.requireShort(result.text.length)
    answer = seal(result)
    kept.add(answer.body)
    yield [
      sql`update idempotency set status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}, body = ${answer.body}
          where company_id = ${companyId} and key = ${key}`,
    ]
  }

  try {
    if (write.choose) await db.transactLong(work(), write.choose, right)
    else await db.transactInSteps(work(), right)
  } catch (error) {
    kept.undo()
    throw db.explain(error) === 'locked' ? failure.idempotencyInProgress() : translate(db, plan, error)
  }
  return answer
}

async function findRecord(db: Store, companyId: string, sent: Sent): Promise<Repeatable | null> {
  const [record] = await db.read(
    sql`select fingerprint, status, headers, body, created_at from idempotency where company_id = ${companyId} and key = ${sent.key}`,
  )
  if (!record) return null
  const [fingerprint, status, headers, body, createdAt] = record
  if (fingerprint !== sent.fingerprint) throw failure.idempotencyKeyReused()
  return {
    answer: { status: Number(status), headers: JSON.parse(String(headers)), body: body === null ? null : String(body) },
    // The record of our own attempt, whose end we did not see, bears its time.
    isRepeat: !(sent.wasLost && createdAt === timestampText(sent.now)),
  }
}

/** Deletes at most so many records at once: each may be large, and others wait meanwhile. */
const deletedMax = 200

const deleteSome = (companyId: string, ends: string): Sql =>
  sql`delete from idempotency where company_id = ${companyId} and key in (
        select key from idempotency where company_id = ${companyId} and created_at < ${ends}
        order by created_at limit ${integer(deletedMax)}) returning key`

/** Forgets what is too old to be repeated: company by company, and in small parts. */
export async function sweepOnce(db: Database): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for (let companyId = await nextCompany(db, null); companyId !== null; ) {
    const [deleted] = await db.forCompany(companyId).transact([deleteSome(companyId, ends)])
    if ((deleted?.length ?? 0) < deletedMax) companyId = await nextCompany(db, companyId)
  }
}

/** The company with records that comes after another one. */
async function nextCompany(db: Database, after: string | null): Promise<string | null> {
  const [row] = await db.read(
    after === null
      ? sql`select company_id from idempotency order by company_id limit 1`
      : sql`select company_id from idempotency where company_id > ${after} order by company_id limit 1`,
  )
  return row ? String(row[0]) : null
}
