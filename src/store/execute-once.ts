import { failure } from '../errors/index.ts'
import type { WritePlan } from '../plan/plan.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { companiesWith } from './companies-with.ts'
import { companyRows, insertCompanyRow, updateCompanyRows } from './compile/company-rows.ts'
import type { Asker, CompanyStore, Database, Right, Steps } from './database.ts'
import { counterOf, effortOfWrite, type PreparedWrite, prepareWrite } from './execute-write.ts'
import { openKeptAnswers } from './kept-answers.ts'
import { bytesOfColumns, partBytesMax, partRowsMax } from './part-of-rows.ts'
import { refuseUnwanted } from './refuse-unwanted.ts'
import type { Result } from './result.ts'
import { isUnknown, untilKnown } from './settle.ts'
import { integer, type Sql, sql } from './sql.ts'
import { translate } from './translate.ts'
import { resultOf } from './write-result.ts'

/** The Idempotency-Key of a request, and a digest that tells it from another request with the same key. */
export interface Once {
  readonly key: string
  readonly fingerprint: string
}

/** An answer that can be repeated byte for byte. */
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

/** Runs a write, or repeats the answer of its first run. The record commits together with the write. */
export async function executeOnce(
  db: Database,
  plan: WritePlan,
  once: Once,
  seal: (result: Result) => Sealed,
  asker?: Asker,
): Promise<Repeatable> {
  const own = db.forRows(plan.values[0])
  const effort = await effortOfWrite(own, plan)
  const write = prepareWrite(plan, own.dialect, effort)
  const counter = counterOf(effort, plan, asker)
  const requireMemory = () => counter?.takeMemory?.(0)
  const sent = { ...once, write, now: new Date(), wasLost: false, right: asker?.right, requireMemory }
  return runOrRepeat(own, plan, sent, seal).catch((error) => {
    if (!isUnknown(error)) throw error
    // After a lost attempt, the record tells whether anything was written.
    return untilKnown(() => runOrRepeat(own, plan, { ...sent, wasLost: true }, seal), error.cause)
  })
}

/** When the write was first sent to the database, and whether its answer was lost. */
interface Sent extends Once {
  readonly write: PreparedWrite
  readonly now: Date
  readonly wasLost: boolean
  readonly right: Right | undefined
  /** Called before the write. What it shows is counted where its answer is sealed. */
  requireMemory(): void
}

async function runOrRepeat(
  db: CompanyStore,
  plan: WritePlan,
  sent: Sent,
  seal: (result: Result) => Sealed,
): Promise<Repeatable> {
  // A record may be swept between the two reads, at most once a day.
  for (let tries = 0; tries < 3; tries += 1) {
    // Whoever has lost the right since may still hear what became of the first attempt.
    const written = sent.wasLost ? await findRecord(db, sent) : null
    if (written) return written
    const answer = await runFirst(db, plan, sent, seal)
    if (answer) return { answer, isRepeat: false }
    const known = await findRecord(db, sent)
    if (known) return known
  }
  throw failure.idempotencyInProgress()
}

/** Claims the key, runs the write and stores its answer, in one transaction. null if the key is taken. */
async function runFirst(
  db: CompanyStore,
  plan: WritePlan,
  { key, fingerprint, write, now, right, requireMemory }: Sent,
  seal: (result: Result) => Sealed,
): Promise<Sealed | null> {
  const ends = timestampText(new Date(now.getTime() - keptMs))
  const kept = await openKeptAnswers(db)
  let answer: Sealed | null = null

  function* work(): Steps {
    const claimed = yield [
      ...db.dialect.waitBriefly,
      sql`delete from ${companyRows('idempotency', db)} and key = ${key} and created_at < ${ends}`,
      deleteSome(db, ends, deletedByRequest),
      sql`${insertCompanyRow('idempotency', db, { key, fingerprint, created_at: timestampText(now) })}
          on conflict (company_id, key) do nothing returning key`,
    ]
    if (claimed.at(-1)?.length === 0) return
    kept.requireRoom()
    requireMemory()
    const results = write.steps ? yield* write.steps() : yield write.statements
    refuseUnwanted(plan, results)
    const result = resultOf(plan, results)
    kept.requireShort(result.text.length)
    answer = seal(result)
    kept.add(answer.body)
    const changes = sql`status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}, body = ${answer.body}`
    yield [sql`${updateCompanyRows('idempotency', db, changes)} and key = ${key}`]
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

async function findRecord(db: CompanyStore, sent: Sent): Promise<Repeatable | null> {
  const [record] = await db.read(
    sql`select fingerprint, status, headers, body, created_at from ${companyRows('idempotency', db)} and key = ${sent.key}`,
  )
  if (!record) return null
  const [fingerprint, status, headers, body, createdAt] = record
  if (fingerprint !== sent.fingerprint) throw failure.idempotencyKeyReused()
  return {
    answer: { status: Number(status), headers: JSON.parse(String(headers)), body: body === null ? null : String(body) },
    // The record of our own lost attempt has the time of that attempt.
    isRepeat: !(sent.wasLost && createdAt === timestampText(sent.now)),
  }
}

/** Records that a request deletes, which adds one. The sweep deletes the rest. */
const deletedByRequest = 2

/** Deletes the oldest records that have ended, up to the one that exceeds the bytes of a part: other writes wait. */
function deleteSome(db: CompanyStore, ends: string, most: number): Sql {
  const sizes = sql`select key, created_at, ${bytesOfColumns(db.dialect, ['headers', 'body'])} as bytes
    from ${companyRows('idempotency', db)} and created_at < ${ends} order by created_at, key limit ${integer(most)}`
  const summed = sql`select key, sum(bytes) over (order by created_at, key) - bytes as bytes_before from (${sizes}) as sizes`
  return sql`delete from ${companyRows('idempotency', db)} and key in (
        select key from (${summed}) as summed where bytes_before < ${integer(partBytesMax)}) returning key`
}

/** Deletes records that are too old, company by company and in small parts. */
export async function sweepOnce(db: Database): Promise<void> {
  const ends = timestampText(new Date(Date.now() - keptMs))
  for await (const companyId of companiesWith(db, 'idempotency')) await sweepCompany(db.forRows(companyId), ends)
}

/** More at once only behind small ones: to ask for the size of one, SQLite reads several others on the way to it. */
async function sweepCompany(own: CompanyStore, ends: string): Promise<void> {
  for (let most = deletedByRequest; ; ) {
    const [deleted = []] = await own.transact([deleteSome(own, ends, most)])
    if (deleted.length === 0) break
    most = deleted.length < most ? deleted.length : Math.min(2 * most, partRowsMax)
  }
}
